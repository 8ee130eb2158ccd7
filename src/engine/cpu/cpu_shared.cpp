// Several processes: each has a block of the entities, and all of them the relations and times.
// Every process sees the whole batch. Rows that formulas read are borrowed from those who have
// them; softmax, gradients of queries, ranks and best answers are put together from the parts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/agreement.h"
#include "base/error.h"
#include "engine/candidates.h"
#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {

RowBlock CpuEngine::block_of_process(int rank) const {
  return block_of(plan_.shape.entities, rank, processes_->size());
}

std::size_t CpuEngine::rows_here(std::size_t table) const {
  return static_cast<std::size_t>(is_shared(table) ? own_.count : tables_[table].count);
}

std::vector<std::size_t> CpuEngine::rows_by_process() const {
  std::vector<std::size_t> rows;
  for (int rank = 0; rank < processes_->size(); ++rank)
    rows.push_back(static_cast<std::size_t>(block_of_process(rank).count));
  return rows;
}

// Room for a subject and an answer of each of the unit's examples.
void CpuEngine::reserve_borrowed(Workspace& work) const {
  work.borrowed_rows.resize(tables_.size());
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (is_shared(t)) work.borrowed_rows[t] = Buffer<float>(2 * work.rows * layout_.floats());
}

// The unit's entities get numbers by their places among the borrowed ones.
void CpuEngine::number_borrowed(Workspace& work, std::size_t rows, bool answers) const {
  auto& ids = work.borrowed;
  ids.clear();
  for (std::size_t i = 0; i < rows; ++i) {
    ids.push_back(work.unit[i].query.subject);
    if (answers) ids.push_back(work.unit[i].object);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (std::size_t i = 0; i < rows; ++i) {
    Example& example = work.unit[i];
    example.query.subject = static_cast<std::int32_t>(position_of(ids, example.query.subject));
    if (answers) example.object = static_cast<std::int32_t>(position_of(ids, example.object));
  }
}

// Ids ascend and blocks are in the order of the processes, so what each process has of them lies
// together.
void CpuEngine::fetch_borrowed(Workspace& work) const {
  const std::size_t width = layout_.floats();
  const auto place_of = [&](std::int64_t id) {
    return position_of(work.borrowed, static_cast<std::int32_t>(id));
  };
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < processes_->size(); ++rank) {
    const RowBlock block = block_of_process(rank);
    counts.push_back((place_of(block.first + block.count) - place_of(block.first)) * width);
  }
  const std::size_t begin = place_of(own_.first), end = place_of(own_.first + own_.count);
  std::vector<float> own((end - begin) * width);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (!is_shared(t)) continue;
    Buffer<float>& rows = work.borrowed_rows[t];
    for (std::size_t i = begin; i < end; ++i)
      std::copy_n(
          data_[t].values.data() + static_cast<std::size_t>(work.borrowed[i] - own_.first) * width,
          width, own.data() + (i - begin) * width);
    processes_->gather(std::span<const float>(own), counts,
                       std::span(rows.data(), work.borrowed.size() * width));
  }
}

void CpuEngine::borrow(Workspace& work, std::size_t rows) const {
  number_borrowed(work, rows, false);
  fetch_borrowed(work);
}

// Each process finds the peaks of its part of every row; together they are the whole row's.
void CpuEngine::softmax_of_shared(std::size_t rows, bool rooted, float teacher_share) {
  const bool taught = teacher_share > 0;
  const std::size_t peaks_of_row = taught ? 2 : 1, peaks = rows * peaks_of_row;
  const std::size_t count = work_.held.count;
  const auto processes = static_cast<std::size_t>(processes_->size());
  std::vector<RowPeak> own(peaks), all(peaks * processes), whole(peaks);
  constexpr float lowest = -std::numeric_limits<float>::infinity();
  const auto peak_of = [&](const float* scores) -> RowPeak {
    RowPeak peak;
    if (count == 0) return {lowest, 0};
    if (!kernels_.peak(scores, count, peak.highest, peak.sum))
      return {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN()};
    return peak;
  };
  parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      own[i] = peak_of(work_.scores.data() + i * score_stride_);
      if (taught) own[rows + i] = peak_of(taught_.scores.data() + i * score_stride_);
    }
  });
  processes_->gather(std::span<const RowPeak>(own), std::vector<std::size_t>(processes, peaks),
                     std::span<RowPeak>(all));
  for (std::size_t i = 0; i < peaks; ++i) {
    float highest = lowest;
    double sum = 0;
    for (std::size_t p = 0; p < processes; ++p)
      highest = std::max(highest, all[p * peaks + i].highest);
    for (std::size_t p = 0; p < processes; ++p) {
      const RowPeak& part = all[p * peaks + i];
      if (part.highest != lowest)
        sum += part.sum * std::exp(static_cast<double>(part.highest) - highest);
    }
    whole[i] = {highest, static_cast<float>(sum)};
  }
  const bool rounded = precision_ == Precision::bf16;
  const float share = 1 / static_cast<float>(batch_.size());
  std::vector<double> expected(rows);
  parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t at = i * score_stride_;
      const Lesson lesson{place_held(asked_[i].object),
                          taught ? taught_.scores.data() + at : nullptr, teacher_share};
      expected[i] = kernels_.softmax_part_back(work_.scores.data() + at, count, lesson, whole[i],
                                               whole[taught ? rows + i : i], share, rooted,
                                               rounded ? rounded_scores_.data() + at : nullptr);
    }
  });
  processes_->sum(std::span<double>(expected));
  for (std::size_t i = 0; i < rows; ++i)
    losses_[i] = std::log(static_cast<double>(whole[i].sum)) - expected[i];
}

// Gradients that only this process's candidates give to rows that all have are kept apart in a
// step, and summed over the processes at its end.
void CpuEngine::allocate_partial_gradients() {
  partial_gradients_.resize(data_.size());
  for (std::size_t t = 0; t < data_.size(); ++t) {
    const bool features = t == tables_.size();
    const bool derived = !features && plan_.variant->derives_candidates() && !is_shared(t) &&
                         row_kernels_.candidate.uses_row[tables_[t].row];
    if (features || derived) partial_gradients_[t] = Buffer<float>(data_[t].values.size());
  }
}

// Of tables of the formula's rows; those of features are written where they belong.
void CpuEngine::exchange_partial_gradients() {
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (partial_gradients_[t].size() > 0) std::swap(partial_gradients_[t], data_[t].gradients);
}

void CpuEngine::sum_partial_gradients() {
  for (std::size_t t = 0; t < data_.size(); ++t) {
    Buffer<float>& partial = partial_gradients_[t];
    if (partial.size() == 0) continue;
    const std::span<float> sums(partial.data(), partial.size());
    processes_->sum(sums);
    kernels_.add(data_[t].gradients.data(), partial.data(), partial.size());
    std::ranges::fill(sums, 0.0F);
  }
}

// Rows in logical order, from those who have them.
void CpuEngine::gather_table(std::size_t table, State state, std::span<float> rows) const {
  if (leads_alone_)
    processes_->told_by_leader(
        fmt::format("read {} {}", table, static_cast<int>(told_state(state))));
  const std::size_t width = rows.size() / static_cast<std::size_t>(plan_.shape.entities);
  std::vector<std::size_t> counts = rows_by_process();
  for (std::size_t& count : counts) count *= width;
  std::vector<float> own(static_cast<std::size_t>(own_.count) * width);
  read_here(table, state, own);
  processes_->gather(std::span<const float>(own), counts, rows);
}

void CpuEngine::tell_rows(std::size_t table, State state, std::span<const float> rows) {
  processes_->told_by_leader(
      fmt::format("write {} {}", table, static_cast<int>(told_state(state))));
  std::vector<float> copy(rows.begin(), rows.end());
  processes_->share(std::span<float>(copy));
}

// The leader may have exchanged values and averages; the others have not.
State CpuEngine::told_state(State state) const {
  if (!is_swapped_ || is_of_optimizer(state)) return state;
  return state == State::value ? State::average : State::value;
}

void CpuEngine::lead(const std::function<void()>& action) {
  if (!is_shared()) {
    action();
    return;
  }
  together(processes_, [&] {
    if (!processes_->leads()) {
      serve_leader();
      return;
    }
    leads_alone_ = true;
    const auto release = [&] {
      leads_alone_ = false;
      processes_->told_by_leader("");
    };
    try {
      action();
    } catch (...) {
      release();
      throw;
    }
    release();
  });
}

// Until the leader has read and written enough.
void CpuEngine::serve_leader() {
  for (std::string asked; !(asked = processes_->told_by_leader("")).empty();) {
    std::istringstream words(asked);
    std::string verb;
    std::size_t table = 0;
    int state = 0;
    words >> verb >> table >> state;
    const TableSpec& spec = all_tables_.at(table);
    std::vector<float> rows(static_cast<std::size_t>(spec.count) *
                            static_cast<std::size_t>(spec.width));
    if (verb == "read") {
      gather_table(table, static_cast<State>(state), rows);
    } else {
      processes_->share(std::span<float>(rows));
      write_here(table, static_cast<State>(state), rows);
    }
  }
}

void CpuEngine::gather_scores(const Workspace& work, std::size_t rows,
                              std::span<float> scores) const {
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  const auto own = static_cast<std::size_t>(own_.count);
  std::vector<float> part(rows * own), all(rows * entities);
  for (std::size_t i = 0; i < rows; ++i)
    std::copy_n(work.scores.data() + i * score_stride_, own, part.data() + i * own);
  const std::vector<std::size_t> columns = rows_by_process();
  std::vector<std::size_t> counts = columns;
  for (std::size_t& count : counts) count *= rows;
  processes_->gather(std::span<const float>(part), counts, std::span<float>(all));
  const float* from = all.data();
  std::size_t first = 0;
  for (const std::size_t count : columns) {
    for (std::size_t i = 0; i < rows; ++i, from += count)
      std::copy_n(from, count, scores.data() + i * entities + first);
    first += count;
  }
}

std::vector<float> CpuEngine::target_scores(const Workspace& work,
                                            std::span<const std::int32_t> targets) const {
  std::vector<float> scores(targets.size(), 0.0F);
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (own_.holds(targets[i]))
      scores[i] =
          work.scores[i * score_stride_ + static_cast<std::size_t>(targets[i] - own_.first)];
  if (is_shared()) processes_->sum(std::span<float>(scores));
  return scores;
}

void CpuEngine::sum_counts(std::span<const std::size_t> questions, std::span<const char> broken,
                           std::span<RankCounts> counts) const {
  constexpr std::size_t figures = 3;
  std::vector<double> sums(questions.size() * figures);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const RankCounts& count = counts[questions[i]];
    sums[i * figures] = count.higher;
    sums[i * figures + 1] = count.equal;
    sums[i * figures + 2] = broken[i];
  }
  if (is_shared()) processes_->sum(std::span<double>(sums));
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (sums[i * figures + 2] > 0) fail_unrankable(questions[i]);
    counts[questions[i]].higher = static_cast<std::int32_t>(sums[i * figures]);
    counts[questions[i]].equal = static_cast<std::int32_t>(sums[i * figures + 1]);
  }
}

// Each process has found the best of its own entities.
void CpuEngine::join_answers(std::span<const std::size_t> questions, std::size_t k,
                             std::span<TopAnswers> answers) const {
  struct Peak {
    double highest = 0, log_sum = 0;
  };
  const auto processes = static_cast<std::size_t>(processes_->size());
  const std::size_t rows = questions.size();
  std::vector<std::size_t> found = rows_by_process();
  for (std::size_t& count : found) count = std::min(count, k);
  std::vector<std::size_t> counts = found;
  for (std::size_t& count : counts) count *= rows;
  std::vector<Peak> own_peaks(rows), peaks(rows * processes);
  std::vector<ScoredEntity> own, all;
  for (std::size_t i = 0; i < rows; ++i) {
    const TopAnswers& answer = answers[questions[i]];
    own_peaks[i] = {answer.highest, answer.log_sum};
    for (const ScoredEntity& best : answer.best)
      own.push_back({static_cast<std::int32_t>(best.entity + own_.first), best.score});
  }
  for (const std::size_t count : counts) all.resize(all.size() + count);
  processes_->gather(std::span<const Peak>(own_peaks), std::vector<std::size_t>(processes, rows),
                     std::span<Peak>(peaks));
  processes_->gather(std::span<const ScoredEntity>(own), counts, std::span<ScoredEntity>(all));
  for (std::size_t i = 0; i < rows; ++i) {
    TopAnswers& answer = answers[questions[i]];
    answer.best.clear();
    answer.highest = peaks[i].highest;
    const ScoredEntity* from = all.data();
    for (std::size_t p = 0; p < processes; from += counts[p++]) {
      answer.best.insert(answer.best.end(), from + i * found[p], from + (i + 1) * found[p]);
      answer.highest = std::max(answer.highest, peaks[p * rows + i].highest);
    }
    std::ranges::sort(answer.best, is_better);
    if (answer.best.size() > k) answer.best.resize(k);
    double sum = 0;
    for (std::size_t p = 0; p < processes; ++p)
      sum += std::exp(peaks[p * rows + i].log_sum - answer.highest);
    answer.log_sum = answer.highest + std::log(sum);
  }
}

}  // namespace orrery::cpu
