// Scores and ranks, always in fp32, counted while in the cache.
#include <algorithm>

#include "engine/candidates.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_products.h"

namespace orrery::cpu {
CompareJob CpuEngine::compare_job(Workspace& work, std::size_t rows) const {
  CompareJob job;
  job.lanes = layout_.lanes;
  job.queries = work.queries.data();
  job.query_count = rows;
  job.query_floats = query_layout_.floats();
  job.candidates = work.held.rows;
  job.candidate_count = work.held.count;
  job.candidate_floats = candidate_layout_.floats();
  job.scores = work.scores.data();
  job.score_stride = score_stride_;
  job.query_gradients = work.query_gradients.data();
  job.candidate_gradients = work.held.gradients;
  return job;
}

void CpuEngine::score_unit(Workspace& work, std::size_t rows, Precision precision) const {
  if (work.held.count == 0) return;  // drawn ones are all of other processes
  if (!plan_.variant->by_product) {
    const CompareJob job = compare_job(work, rows);
    parallel_for(work.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
      row_kernels_.compare(job, begin, end);
    });
    return;
  }
  if (rows == 1 && precision == Precision::fp32) {
    score_alone(work);
    return;
  }
  const auto multiply = [&]<class T>(const T* queries, const T* candidates) {
    const ProductShape<T> shape{
        rows, work.held.count, query_layout_.width(), query_layout_.floats(), queries, candidates};
    score_product(work.pool, shape, work.scores.data(), score_stride_);
  };
  if (precision == Precision::bf16)
    multiply(work.rounded_queries.data(), work.held.rounded);
  else
    multiply(work.queries.data(), work.held.rows);
}

// One question reads every candidate once and no more; a matrix library packs them first.
void CpuEngine::score_alone(Workspace& work) const {
  constexpr std::size_t candidates_at_once = 512;
  const std::size_t stride = query_layout_.floats();
  parallel_for(work.pool, work.held.count, candidates_at_once,
               [&](std::size_t begin, std::size_t end) {
                 kernels_.dots(work.queries.data(), work.held.rows + begin * stride, stride,
                               query_layout_.width(), end - begin, work.scores.data() + begin);
               });
}

// The scores of the unit's questions, into the workspace.
void CpuEngine::score_pairs(Workspace& work, std::span<const QueryPair> queries) const {
  reserve(work, queries.size());
  if (!plan_.variant->sums_queries()) {
    std::fill_n(work.run_scores.data(), queries.size() * score_stride_, 0.0F);
    add_scores(work, queries, false);
    add_scores(work, queries, true);
    std::swap(work.scores, work.run_scores);
    add_features(work, queries);
    return;
  }
  for (std::size_t i = 0; i < queries.size(); ++i) work.unit[i] = {queries[i].first, 0};
  if (is_shared()) borrow(work, queries.size());
  forward(work, row_job(work), queries.size());
  if (std::ranges::any_of(queries, &QueryPair::paired)) {
    std::swap(work.queries, work.query_gradients);
    for (std::size_t i = 0; i < queries.size(); ++i)
      work.unit[i].query = queries[i].paired ? queries[i].second : queries[i].first;
    if (is_shared()) borrow(work, queries.size());
    forward(work, row_job(work), queries.size());
    const std::size_t width = query_layout_.floats();
    for (std::size_t i = 0; i < queries.size(); ++i)
      if (queries[i].paired)
        kernels_.add(work.queries.data() + i * width, work.query_gradients.data() + i * width,
                     width);
  }
  if (plan_.variant->derives_candidates())
    hold_compact(work, 0, {}, false);
  else
    hold_entities(work);
  score_unit(work, queries.size(), Precision::fp32);
  add_features(work, queries);
}

// Adds to run_scores the scores of the first queries of pairs, or of the second ones where there
// are any; where candidates depend on time, run by run of one time.
void CpuEngine::add_scores(Workspace& work, std::span<const QueryPair> queries,
                           bool seconds) const {
  const auto asked = asked_queries(queries, seconds, plan_.variant->candidates);
  const auto time_of = [&](std::size_t i) { return asked[i].query.time; };
  const auto add_run = [&](std::size_t begin, std::size_t end) {
    if (plan_.variant->derives_candidates())
      hold_compact(work, time_of(begin), {}, false);
    else
      hold_entities(work);
    for (std::size_t i = begin; i < end; ++i) work.unit[i - begin] = {asked[i].query, 0};
    if (is_shared()) borrow(work, end - begin);
    forward(work, row_job(work), end - begin);
    score_unit(work, end - begin, Precision::fp32);
    for (std::size_t i = begin; i < end; ++i)
      kernels_.add(work.run_scores.data() + asked[i].row * score_stride_,
                   work.scores.data() + (i - begin) * score_stride_, work.held.count);
  };
  for_each_run(asked.size(), plan_.variant->candidates, time_of, add_run);
}

void CpuEngine::score(Workspace& work, std::span<const QueryPair> queries,
                      std::span<float> scores) const {
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  for (std::size_t done = 0; done < queries.size(); done += unit_rows_) {
    const std::size_t rows = std::min(unit_rows_, queries.size() - done);
    score_pairs(work, queries.subspan(done, rows));
    if (is_shared()) {
      gather_scores(work, rows, scores.subspan(done * entities, rows * entities));
      continue;
    }
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(work.scores.data() + i * score_stride_, entities,
                  scores.begin() + static_cast<std::ptrdiff_t>((done + i) * entities));
  }
}

void CpuEngine::rank(Workspace& work, std::span<const RankQuestion> questions,
                     std::span<RankCounts> counts) const {
  const auto entities = static_cast<std::size_t>(own_.count);
  const auto asked = queries_of(questions);
  const auto order = asking_order(asked, plan_.variant->candidates);
  std::vector<QueryPair> queries(std::min(unit_rows_, questions.size()));
  for (std::size_t done = 0; done < questions.size(); done += unit_rows_) {
    const std::size_t rows = std::min(unit_rows_, questions.size() - done);
    for (std::size_t i = 0; i < rows; ++i) queries[i] = asked[order[done + i]];
    score_pairs(work, {queries.data(), rows});
    std::vector<std::int32_t> wanted(rows);
    for (std::size_t i = 0; i < rows; ++i) wanted[i] = questions[order[done + i]].target;
    const std::vector<float> targets = target_scores(work, wanted);
    std::vector<char> broken(rows, 0);
    parallel_for(work.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const RankQuestion& question = questions[order[done + i]];
        const float* scores = work.scores.data() + i * score_stride_;
        const float target = targets[i];
        RankCounts& count = counts[order[done + i]];
        broken[i] = !kernels_.count_above(scores, entities, target, count.higher, count.equal);
        for (const std::int32_t known : question.known) {
          if (!own_.holds(known)) continue;
          count.higher -= scores[known - own_.first] > target;
          count.equal -= scores[known - own_.first] == target;
        }
        const bool is_known = std::ranges::binary_search(question.known, question.target);
        if (!is_known && own_.holds(question.target)) --count.equal;
      }
    });
    blocks_.sum_counts({order.data() + done, rows}, broken, counts);
  }
}

}  // namespace orrery::cpu
