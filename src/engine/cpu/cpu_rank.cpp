// Scores and ranks, always in fp32, counted while in the cache.
#include <algorithm>

#include "engine/candidates.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_products.h"

namespace orrery::cpu {
CompareJob CpuEngine::compare_job(std::size_t rows) {
  CompareJob job;
  job.lanes = layout_.lanes;
  job.queries = queries_.data();
  job.query_count = rows;
  job.query_floats = query_layout_.floats();
  job.candidates = held_.rows;
  job.candidate_count = held_.count;
  job.candidate_floats = candidate_layout_.floats();
  job.scores = scores_.data();
  job.score_stride = score_stride_;
  job.query_gradients = query_gradients_.data();
  job.candidate_gradients = held_.gradients;
  return job;
}

void CpuEngine::score_unit(std::size_t rows, Precision precision) {
  if (!plan_.variant->by_product) {
    const CompareJob job = compare_job(rows);
    parallel_for(pool_, rows, row_grain, [&](std::size_t begin, std::size_t end) {
      row_kernels_.compare(job, begin, end);
    });
    return;
  }
  const auto multiply = [&]<class T>(const T* queries, const T* candidates) {
    const ProductShape<T> shape{rows,    held_.count, query_layout_.width(), query_layout_.floats(),
                                queries, candidates};
    score_product(pool_, shape, scores_.data(), score_stride_);
  };
  if (precision == Precision::bf16)
    multiply(rounded_queries_.data(), held_.rounded);
  else
    multiply(queries_.data(), held_.rows);
}

// The scores of the unit's questions, into scores_.
void CpuEngine::score_pairs(std::span<const QueryPair> queries) {
  if (!plan_.variant->sums_queries()) {
    std::fill_n(run_scores_.data(), queries.size() * score_stride_, 0.0F);
    add_scores(queries, false);
    add_scores(queries, true);
    std::swap(scores_, run_scores_);
    return;
  }
  for (std::size_t i = 0; i < queries.size(); ++i) unit_[i] = {queries[i].first, 0};
  forward(row_job(), queries.size());
  if (std::ranges::any_of(queries, &QueryPair::paired)) {
    std::swap(queries_, query_gradients_);
    for (std::size_t i = 0; i < queries.size(); ++i)
      unit_[i].query = queries[i].paired ? queries[i].second : queries[i].first;
    forward(row_job(), queries.size());
    const std::size_t width = query_layout_.floats();
    for (std::size_t i = 0; i < queries.size(); ++i)
      if (queries[i].paired)
        kernels_.add(queries_.data() + i * width, query_gradients_.data() + i * width, width);
  }
  if (plan_.variant->derives_candidates())
    hold_compact(0, {});
  else
    hold_entities();
  score_unit(queries.size(), Precision::fp32);
}

// Adds to run_scores_ the scores of the first queries of pairs, or of the second ones where there
// are any; where candidates depend on time, run by run of one time.
void CpuEngine::add_scores(std::span<const QueryPair> queries, bool seconds) {
  const auto asked = asked_queries(queries, seconds, plan_.variant->candidates);
  const auto time_of = [&](std::size_t i) { return asked[i].query.time; };
  const auto add_run = [&](std::size_t begin, std::size_t end) {
    if (plan_.variant->derives_candidates())
      hold_compact(time_of(begin), {});
    else
      hold_entities();
    for (std::size_t i = begin; i < end; ++i) unit_[i - begin] = {asked[i].query, 0};
    forward(row_job(), end - begin);
    score_unit(end - begin, Precision::fp32);
    for (std::size_t i = begin; i < end; ++i)
      kernels_.add(run_scores_.data() + asked[i].row * score_stride_,
                   scores_.data() + (i - begin) * score_stride_, held_.count);
  };
  for_each_run(asked.size(), plan_.variant->candidates, time_of, add_run);
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
  const auto order = ranking_order(questions, plan_.variant->candidates);
  std::vector<QueryPair> queries(unit_rows_);
  for (std::size_t done = 0; done < questions.size(); done += unit_rows_) {
    const std::size_t rows = std::min(unit_rows_, questions.size() - done);
    for (std::size_t i = 0; i < rows; ++i) queries[i] = questions[order[done + i]].queries;
    score_pairs({queries.data(), rows});
    parallel_for(pool_, rows, row_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const RankQuestion& question = questions[order[done + i]];
        const float* scores = scores_.data() + i * score_stride_;
        const float target = scores[question.target];
        RankCounts& count = counts[order[done + i]];
        if (!kernels_.count_above(scores, entities, target, count.higher, count.equal))
          fail_unrankable(order[done + i]);
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
