#include "engine/entity_blocks.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "engine/candidates.h"

namespace orrery {

EntityBlocks::EntityBlocks(std::int32_t entities, Communicator* processes)
    : entities_(entities), processes_(processes), own_(block_of(entities, rank(), count())) {
  if (entities < count())
    fail_request(About{.advice = fmt::format("start at most {} processes", entities)},
                 "{} entities cannot be shared by {} processes", entities, count());
}

std::vector<std::size_t> EntityBlocks::rows_by_process() const {
  std::vector<std::size_t> rows;
  for (int rank = 0; rank < count(); ++rank)
    rows.push_back(static_cast<std::size_t>(block_of_process(rank).count));
  return rows;
}

std::vector<std::size_t> EntityBlocks::counts_of(const std::vector<std::int32_t>& ids) const {
  const auto place_of = [&](std::int64_t id) {
    return position_of(ids, static_cast<std::int32_t>(id));
  };
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < count(); ++rank) {
    const RowBlock block = block_of_process(rank);
    counts.push_back(place_of(block.first + block.count) - place_of(block.first));
  }
  return counts;
}

void EntityBlocks::gather_scores(std::span<const float> part, std::size_t rows,
                                 std::span<float> scores) const {
  const auto entities = static_cast<std::size_t>(entities_);
  const std::vector<std::size_t> columns = rows_by_process();
  std::vector<std::size_t> counts = columns;
  for (std::size_t& count : counts) count *= rows;
  std::vector<float> all(rows * entities);
  processes_->gather(part, counts, std::span<float>(all));
  const float* from = all.data();
  std::size_t first = 0;
  for (const std::size_t count : columns) {
    for (std::size_t i = 0; i < rows; ++i, from += count)
      std::copy_n(from, count, scores.data() + i * entities + first);
    first += count;
  }
}

void EntityBlocks::sum_counts(std::span<const std::size_t> questions, std::span<const char> broken,
                              std::span<RankCounts> counts) const {
  constexpr std::size_t figures = 3;
  std::vector<double> sums(questions.size() * figures);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const RankCounts& count = counts[questions[i]];
    sums[i * figures] = count.higher;
    sums[i * figures + 1] = count.equal;
    sums[i * figures + 2] = broken[i];
  }
  if (are_shared()) processes_->sum(std::span<double>(sums));
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (sums[i * figures + 2] > 0) fail_unrankable(questions[i]);
    counts[questions[i]].higher = static_cast<std::int32_t>(sums[i * figures]);
    counts[questions[i]].equal = static_cast<std::int32_t>(sums[i * figures + 1]);
  }
}

void EntityBlocks::join_answers(std::span<const std::size_t> questions, std::size_t k,
                                std::span<TopAnswers> answers) const {
  struct Peak {
    double highest = 0, log_sum = 0;
  };
  const auto processes = static_cast<std::size_t>(count());
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

void number_entities(std::span<Example> examples, bool answers, std::vector<std::int32_t>& ids) {
  ids.clear();
  for (const Example& example : examples) {
    ids.push_back(example.query.subject);
    if (answers) ids.push_back(example.object);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (Example& example : examples) {
    example.query.subject = static_cast<std::int32_t>(position_of(ids, example.query.subject));
    if (answers) example.object = static_cast<std::int32_t>(position_of(ids, example.object));
  }
}

}  // namespace orrery
