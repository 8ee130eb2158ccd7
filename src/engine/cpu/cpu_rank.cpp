// Scores and ranks, always in fp32: one product against all entities, counted while in the cache.
#include <algorithm>

#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_products.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t row_grain = 16;

}  // namespace

void CpuEngine::score_unit(std::size_t rows, Precision precision) {
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  if (precision == Precision::bf16)
    score_product<std::uint16_t>(
        pool_,
        {rows, entities, layout_.floats(), rounded_queries_.data(), rounded_entities_.data()},
        scores_.data(), score_stride_);
  else
    score_product<float>(
        pool_, {rows, entities, layout_.floats(), queries_.data(), data_[0].values.data()},
        scores_.data(), score_stride_);
}

// ⟨q₁, e⟩ + ⟨q₂, e⟩ = ⟨q₁ + q₂, e⟩: a pair of queries costs one row of scores.
void CpuEngine::score_pairs(std::span<const QueryPair> queries) {
  RowJob job = row_job();
  job.queries = queries_.data();
  for (std::size_t i = 0; i < queries.size(); ++i) unit_[i] = {queries[i].first, 0};
  forward(job, queries.size());
  if (std::ranges::any_of(queries, &QueryPair::paired)) {
    job.queries = query_gradients_.data();
    for (std::size_t i = 0; i < queries.size(); ++i)
      unit_[i].query = queries[i].paired ? queries[i].second : queries[i].first;
    forward(job, queries.size());
    const std::size_t width = layout_.floats();
    for (std::size_t i = 0; i < queries.size(); ++i)
      if (queries[i].paired)
        kernels_.add(queries_.data() + i * width, query_gradients_.data() + i * width, width);
  }
  score_unit(queries.size(), Precision::fp32);
}

void CpuEngine::score(std::span<const QueryPair> queries, std::span<float> scores) {
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  for (std::size_t done = 0; done < queries.size(); done += unit_rows_) {
    const std::size_t rows = std::min(unit_rows_, queries.size() - done);
    score_pairs(queries.subspan(done, rows));
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(scores_.data() + i * score_stride_, entities,
                  scores.begin() + static_cast<std::ptrdiff_t>((done + i) * entities));
  }
}

void CpuEngine::rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) {
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  std::vector<QueryPair> queries(unit_rows_);
  for (std::size_t done = 0; done < questions.size(); done += unit_rows_) {
    const std::size_t rows = std::min(unit_rows_, questions.size() - done);
    for (std::size_t i = 0; i < rows; ++i) queries[i] = questions[done + i].queries;
    score_pairs({queries.data(), rows});
    parallel_for(pool_, rows, row_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const RankQuestion& question = questions[done + i];
        const float* scores = scores_.data() + i * score_stride_;
        const float target = scores[question.target];
        RankCounts& count = counts[done + i];
        if (!kernels_.count_above(scores, entities, target, count.higher, count.equal))
          fail_unrankable(done + i);
        for (const std::int32_t known : question.known) {
          count.higher -= scores[known] > target;
          count.equal -= scores[known] == target;
        }
        if (!std::ranges::binary_search(question.known, question.target)) --count.equal;
      }
    });
  }
}

}  // namespace orrery::cpu
