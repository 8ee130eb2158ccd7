// One training step.
#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_products.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t row_grain = 16;  // rows a task, for the loops over a unit
constexpr std::size_t scatter_grain = 8;

}  // namespace

RowJob CpuEngine::row_job() const {
  RowJob job;
  job.layout = layout_;
  job.examples = unit_.data();
  job.vote_scale = static_cast<float>(plan_.variant->vote_scale(layout_.lanes));
  for (std::size_t r = 0; r < plan_.variant->rows.size(); ++r) {
    const int table = table_of_row_[r];
    if (table >= 0)
      job.sources[r] = {data_[static_cast<std::size_t>(table)].values.data(), layout_.floats()};
    else
      job.sources[r] = {plan_.variant->rows[r].without == Without::one ? constant_one_.data()
                                                                       : constant_zero_.data(),
                        0};
  }
  return job;
}

void CpuEngine::forward(const RowJob& job, std::size_t rows) {
  parallel_for(pool_, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    row_kernels_.forward(job, begin, end);
    if (rounded_queries_.size() > 0 && job.queries == queries_.data())
      kernels_.to_bf16(queries_.data() + begin * layout_.floats(),
                       rounded_queries_.data() + begin * layout_.floats(),
                       (end - begin) * layout_.floats());
  });
}

void CpuEngine::step(std::uint64_t shuffle_key, std::int64_t first, std::int64_t count,
                     const StepRules& rules) {
  const std::uint64_t step_key = random_bits(shuffle_key, static_cast<std::uint64_t>(first));
  const auto batch = static_cast<std::size_t>(count);
  for (std::size_t done = 0; done < batch; done += unit_rows_) {
    const std::size_t rows = std::min(unit_rows_, batch - done);
    gather_unit(shuffle_key, first + static_cast<std::int64_t>(done), rows);
    train_unit(rows, batch, done, step_key, rules.loss);
  }
  smooth_times(rules.loss);
  adagrad(rules);
  ++sums_.steps;
}

void CpuEngine::gather_unit(std::uint64_t shuffle_key, std::int64_t first, std::size_t rows) {
  const RandomPermutation order(examples_.size(), shuffle_key);
  for (std::size_t i = 0; i < rows; ++i)
    unit_[i] = examples_[order(static_cast<std::uint64_t>(first) + i)];
}

void CpuEngine::train_unit(std::size_t rows, std::size_t batch, std::uint64_t position,
                           std::uint64_t step_key, const LossRules& rules) {
  const bool rounded = precision_ == Precision::bf16;
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  const float share = 1.0F / static_cast<float>(batch);
  const double n3 = rules.lambda_n3 / static_cast<double>(batch);

  RowJob job = row_job();
  job.queries = queries_.data();
  job.query_gradients = query_gradients_.data();
  for (std::size_t r = 0; r < row_gradients_.size(); ++r)
    job.gradients[r] = row_gradients_[r].data();
  job.answer_gradients = answer_gradients_.data();
  job.penalties = penalties_.data();
  job.penalty_weight = static_cast<float>(n3);
  job.norm = rules.norm;
  job.drop_rate = rules.dropout;
  job.drop_key = step_key;
  job.first_position = position;

  forward(job, rows);
  score_unit(rows, precision_);
  parallel_for(pool_, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      losses_[i] = kernels_.softmax_back(
          scores_.data() + i * score_stride_, entities, static_cast<std::size_t>(unit_[i].object),
          share, rounded ? rounded_scores_.data() + i * score_stride_ : nullptr);
  });
  if (rounded)
    back_products(rows, rounded_entities_.data(), rounded_queries_.data(), rounded_scores_.data());
  else
    back_products(rows, data_[0].values.data(), queries_.data(), scores_.data());
  parallel_for(pool_, rows, row_grain,
               [&](std::size_t begin, std::size_t end) { row_kernels_.backward(job, begin, end); });
  scatter_unit(rows, n3 > 0);

  for (std::size_t i = 0; i < rows; ++i) {
    sums_.cross_entropy += losses_[i] / static_cast<double>(batch);
    sums_.n3 += n3 * penalties_[i];
  }
}

template <class T>
void CpuEngine::back_products(std::size_t rows, const T* entity_rows, const T* queries,
                              const T* score_gradients) {
  const ProductShape<T> shape{rows, static_cast<std::size_t>(plan_.shape.entities),
                              layout_.floats(), queries, entity_rows};
  gradient_products(pool_, shape, score_gradients, score_stride_, query_gradients_.data(),
                    data_[0].gradients.data());
}

// Sorts the unit's contributions by row and adds each row's in order: no atomics, one order of
// addition whatever the threads.
void CpuEngine::scatter_unit(std::size_t rows, bool answers) {
  struct Segment {
    std::size_t table, begin, end;
  };
  const std::size_t width = layout_.floats();
  std::vector<Segment> segments;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    auto& entries = scatter_[t];
    entries.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      const Query& q = unit_[i].query;
      const std::int32_t id = tables_[t].of == RowOf::entity     ? q.subject
                              : tables_[t].of == RowOf::relation ? q.relation
                                                                 : q.time;
      entries.push_back({id, row_gradients_[tables_[t].row].data() + i * width});
      if (t == 0 && answers)
        entries.push_back({unit_[i].object, answer_gradients_.data() + i * width});
    }
    std::ranges::stable_sort(entries, {}, &ScatterEntry::id);
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      while (end < entries.size() && entries[end].id == entries[begin].id) ++end;
      segments.push_back({t, begin, end});
    }
  }
  parallel_for(pool_, segments.size(), scatter_grain, [&](std::size_t begin, std::size_t end) {
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
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (tables_[t].of != RowOf::time) continue;
    parallel_for(pool_, smooth_values_.size(), row_grain, [&](std::size_t begin, std::size_t end) {
      row_kernels_.smooth(layout_, data_[t].values.data(), data_[t].gradients.data(),
                          plan_.shape.times, static_cast<float>(weight), rules.norm,
                          smooth_values_.data(), begin, end);
    });
    sums_.time += weight * std::accumulate(smooth_values_.begin(), smooth_values_.end(), 0.0);
  }
}

}  // namespace orrery::cpu
