// One training step.
#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "engine/candidates.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_products.h"
#include "engine/cpu/softmax_unit.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t scatter_grain = 8;

}  // namespace

RowJob CpuEngine::row_job(const Workspace& work) const {
  RowJob job;
  job.layout = layout_;
  job.examples = work.unit.data();
  job.clock = clock_.data();
  job.window = plan_.shape.window;
  job.vote_scale = static_cast<float>(plan_.variant->vote_scale(layout_.lanes));
  job.query_floats = formula_layout_.floats();
  for (std::size_t r = 0; r < plan_.variant->rows.size(); ++r) {
    const int table = table_of_row_[r];
    if (table >= 0)
      job.sources[r] = {is_shared(static_cast<std::size_t>(table))
                            ? work.borrowed_rows[static_cast<std::size_t>(table)].data()
                            : data_[static_cast<std::size_t>(table)].values.data(),
                        layout_.floats()};
    else
      job.sources[r] = {plan_.variant->rows[r].without == Without::one ? constant_one_.data()
                                                                       : constant_zero_.data(),
                        0};
  }
  return job;
}

void CpuEngine::send_gradients_to_buffers(RowJob& job) {
  for (std::size_t r = 0; r < row_gradients_.size(); ++r) {
    job.gradients[r] = row_gradients_[r].data();
    job.answer_gradients[r] = answer_gradients_[r].data();
  }
  job.penalties = penalties_.data();
}

// The queries of the unit's examples, into the workspace.
void CpuEngine::forward(Workspace& work, RowJob job, std::size_t rows) const {
  const bool core = plan_.variant->has_core;
  job.queries = core ? work.pairs.data() : work.queries.data();
  parallel_for(work.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    row_kernels_.query.forward(job, begin, end);
  });
  if (core) core_product(work, rows);
  round_queries(work, rows);
}

// For products in bf16.
void CpuEngine::round_queries(Workspace& work, std::size_t rows) const {
  if (work.rounded_queries.size() == 0) return;
  const std::size_t width = query_layout_.floats();
  parallel_for(work.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    kernels_.to_bf16(work.queries.data() + begin * width,
                     work.rounded_queries.data() + begin * width, (end - begin) * width);
  });
}

std::span<const TimeRun> CpuEngine::begin_step(const StepName& name, const StepRules& rules) {
  step_ = name;
  step_rules_ = rules;
  round_answers(rules.loss);
  round_teacher(rules.loss);
  gather_batch(name);
  drawn_.clear();
  touches_few_ = rules.loss.negatives > 0;
  if (touches_few_)
    drawn_ = candidate_ids(batch_, plan_.shape.entities, rules.loss.negatives, name.key());
  std::erase_if(drawn_, [&](std::int32_t id) { return !own_.holds(id); });
  for (std::int32_t& id : drawn_) id -= static_cast<std::int32_t>(own_.first);
  note_touched();
  return runs_;
}

void CpuEngine::gather_batch(const StepName& name) {
  const RandomPermutation order(examples_.size(), name.shuffle_key);
  batch_.resize(static_cast<std::size_t>(name.count));
  for (std::size_t i = 0; i < batch_.size(); ++i)
    batch_[i] = examples_[order(static_cast<std::uint64_t>(name.first) + i)];
  if (plan_.variant->candidates == Candidates::each_time) order_by_time(batch_);
  runs_.clear();
  const auto time_of = [&](std::size_t i) { return batch_[i].query.time; };
  for_each_run(batch_.size(), plan_.variant->candidates, time_of,
               [&](std::size_t begin, std::size_t end) {
                 runs_.push_back({time_of(begin), static_cast<std::int32_t>(begin),
                                  static_cast<std::int32_t>(end - begin)});
               });
}

void CpuEngine::take_rows(const StepRows& rows) {
  const auto count = static_cast<std::size_t>(rows.count);
  asked_ = std::span(batch_).subspan(static_cast<std::size_t>(rows.first), count);
  std::ranges::copy(asked_, work_.unit.begin());
  if (is_shared()) number_entities({work_.unit.data(), count}, true, work_.borrowed);
}

RowJob CpuEngine::training_job(const StepRows& rows) {
  const LossRules& rules = step_rules_.loss;
  RowJob job = row_job(work_);
  job.query_gradients =
      plan_.variant->has_core ? pair_gradients_.data() : work_.query_gradients.data();
  send_gradients_to_buffers(job);
  job.penalty_weight = static_cast<float>(rules.lambda_n3 / static_cast<double>(batch_.size()));
  job.norm = rules.norm;
  job.drop_rate = rules.dropout;
  job.drop_lanes = rules.drop_lanes;
  job.drop_key = step_.key();
  job.first_position = static_cast<std::size_t>(rows.first);
  return job;
}

void CpuEngine::make_queries(const StepRows& rows) {
  if (is_shared()) fetch_borrowed(work_);
  forward(work_, training_job(rows), static_cast<std::size_t>(rows.count));
}

// What a run of a step's examples is held against.
void CpuEngine::hold_candidates(std::int32_t time, bool taught) {
  const std::int32_t negatives = step_rules_.loss.negatives;
  const auto hold = [&] {
    if (compact_candidates(negatives)) {
      hold_compact(work_, time, drawn_, negatives > 0);
    } else {
      hold_entities(work_);
      work_.held.gradients = data_[0].gradients.data();
    }
  };
  if (taught) as_teacher(hold);
  hold();
}

void CpuEngine::score_candidates(const StepRows& rows) {
  if (step_rules_.loss.teacher_share <= 0) gather_features(static_cast<std::size_t>(rows.count));
  score_unit(work_, static_cast<std::size_t>(rows.count), precision_);
}

void CpuEngine::back_from_scores(const StepRows& rows) {
  const auto count = static_cast<std::size_t>(rows.count);
  if (steps_have_features())
    softmax_with_features(count, step_rules_.loss);
  else
    softmax_answers(count, plan_.variant->rooted, step_rules_.loss);
  back_products(count);
}

void CpuEngine::put_together(const StepRows& rows) {
  if (!is_shared()) return;
  const auto count = static_cast<std::size_t>(rows.count);
  processes_->sum(std::span(work_.query_gradients.data(), count * query_layout_.floats()));
}

void CpuEngine::sweep(const StepRows& rows) {
  const auto count = static_cast<std::size_t>(rows.count);
  const auto batch = static_cast<double>(batch_.size());
  const double n3 = step_rules_.loss.lambda_n3 / batch;
  const RowJob job = training_job(rows);
  if (plan_.variant->has_core) core_product_back(count);
  parallel_for(work_.pool, count, row_grain, [&](std::size_t begin, std::size_t end) {
    row_kernels_.query.backward(job, begin, end);
  });
  scatter(row_kernels_.query, asked_, n3 > 0, own_.first);
  for (std::size_t i = 0; i < count; ++i) {
    sums_.cross_entropy += losses_[i] / batch;
    sums_.n3 += n3 * penalties_[i];
  }
}

void CpuEngine::finish_step() {
  if (is_shared()) sum_partial_gradients();
  smooth_times(step_rules_.loss);
  shrink_features(step_rules_.loss);
  update(step_rules_);
  ++sums_.steps;
}

// Where an entity stands among the candidates that are held.
std::size_t CpuEngine::place_held(std::int32_t entity) const {
  if (!own_.holds(entity)) return not_held;
  const auto own = static_cast<std::int32_t>(entity - own_.first);
  return work_.held.drawn ? position_of(work_.held.ids, own) : static_cast<std::size_t>(own);
}

void CpuEngine::softmax_answers(std::size_t rows, bool rooted, const LossRules& rules) {
  if (is_shared()) {
    softmax_of_shared(rows, rooted, rules.teacher_share);
    return;
  }
  softmax_unit(rows, 1 / static_cast<double>(batch_.size()), rooted, rules.teacher_share,
               [&](std::size_t i) { return place_held(work_.unit[i].object); });
}

// From the scores' gradients to those of queries and candidates.
void CpuEngine::back_products(std::size_t rows) {
  if (work_.held.count == 0) {  // drawn ones are all of other processes
    std::fill_n(work_.query_gradients.data(), rows * query_layout_.floats(), 0.0F);
    return;
  }
  if (!plan_.variant->by_product) {
    const CompareJob job = compare_job(work_, rows);
    parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
      row_kernels_.compare_back_to_queries(job, begin, end);
    });
    parallel_for(work_.pool, work_.held.count, row_grain, [&](std::size_t begin, std::size_t end) {
      row_kernels_.compare_back_to_candidates(job, begin, end);
    });
    return;
  }
  const auto multiply = [&]<class T>(const T* candidates, const T* queries, const T* gradients) {
    const ProductShape<T> shape{
        rows, work_.held.count, query_layout_.width(), query_layout_.floats(), queries, candidates};
    gradient_products(work_.pool, shape, gradients, score_stride_, work_.query_gradients.data(),
                      work_.held.gradients);
  };
  if (precision_ == Precision::bf16)
    multiply(work_.held.rounded, work_.rounded_queries.data(), rounded_scores_.data());
  else
    multiply(work_.held.rows, work_.queries.data(), work_.scores.data());
}

// Sorts the contributions of examples by row and adds each row's in order: no atomics, one order of
// addition whatever the threads.
void CpuEngine::scatter(const FormulaKernels& formula, std::span<const Example> examples,
                        bool answers, std::int64_t first) {
  struct Segment {
    std::size_t table, begin, end;
  };
  const std::size_t width = layout_.floats();
  std::vector<Segment> segments;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    auto& entries = scatter_[t];
    entries.clear();
    const std::size_t row = tables_[t].row;
    const RowOf of = tables_[t].of;
    const bool answered = answers && of == RowOf::entity;
    if (!formula.uses_row[row] && !answered) continue;
    const bool entity = of == RowOf::entity;
    const auto add = [&](std::int32_t id, const float* gradient) {
      const std::int64_t here = entity ? id - first : id;
      if (here >= 0 && (!entity || here < own_.count))
        entries.push_back({static_cast<std::int32_t>(here), gradient});
    };
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const Query& q = examples[i].query;
      add(id_in(q, of, q.subject, plan_.shape.window), row_gradients_[row].data() + i * width);
      if (answered) add(examples[i].object, answer_gradients_[row].data() + i * width);
    }
    std::ranges::stable_sort(entries, {}, &ScatterEntry::id);
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      while (end < entries.size() && entries[end].id == entries[begin].id) ++end;
      segments.push_back({t, begin, end});
    }
  }
  parallel_for(work_.pool, segments.size(), scatter_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const auto& [table, from, to] = segments[s];
      const auto& entries = scatter_[table];
      float* sum =
          data_[table].gradients.data() + static_cast<std::size_t>(entries[from].id) * width;
      for (std::size_t e = from; e < to; ++e) kernels_.add(sum, entries[e].row, width);
    }
  });
}

void CpuEngine::smooth_times(const LossRules& rules) {
  if (rules.lambda_time <= 0 || plan_.shape.times < 2) return;
  const double weight = rules.lambda_time / (plan_.shape.times - 1);
  SmoothJob job;
  job.layout = layout_;
  job.times = plan_.shape.times;
  job.windows = plan_.shape.rows_of(RowOf::window);
  job.weight = static_cast<float>(weight);
  job.norm = rules.time_norm();
  job.values = smooth_values_.data();
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    job.tables[tables_[t].row] = data_[t].values.data();
    job.gradients[tables_[t].row] = data_[t].gradients.data();
  }
  parallel_for(work_.pool, smooth_values_.size(), row_grain,
               [&](std::size_t begin, std::size_t end) { row_kernels_.smooth(job, begin, end); });
  if (row_kernels_.smooth_shared != nullptr) row_kernels_.smooth_shared(job);
  sums_.time += weight * std::accumulate(smooth_values_.begin(), smooth_values_.end(), 0.0);
}

}  // namespace orrery::cpu
