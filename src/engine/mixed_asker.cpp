#include "engine/mixed_asker.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery {
namespace {

constexpr std::size_t most_held_scores = std::size_t{1} << 24;  // 64 MiB, or one question
constexpr std::size_t most_rows_mixed = 1024;

bool all_finite(std::span<const float> scores) {
  bool finite = true;
  for (const float score : scores) finite &= std::abs(score) <= std::numeric_limits<float>::max();
  return finite;
}

RankCounts counts_in(std::span<const float> scores, const RankQuestion& question) {
  const float target = scores[static_cast<std::size_t>(question.target)];
  RankCounts counts;
  for (const float score : scores) {
    counts.higher += score > target;
    counts.equal += score == target;
  }
  for (const std::int32_t known : question.known) {
    counts.higher -= scores[static_cast<std::size_t>(known)] > target;
    counts.equal -= scores[static_cast<std::size_t>(known)] == target;
  }
  if (!std::ranges::binary_search(question.known, question.target)) --counts.equal;
  return counts;
}

TopAnswers best_in(std::span<const float> scores, std::size_t k) {
  TopAnswers answers;
  answers.best.reserve(scores.size());
  for (std::size_t e = 0; e < scores.size(); ++e)
    answers.best.push_back({static_cast<std::int32_t>(e), scores[e]});
  const auto end = answers.best.begin() + static_cast<std::ptrdiff_t>(std::min(k, scores.size()));
  std::ranges::partial_sort(answers.best, end, is_better);
  answers.best.erase(end, answers.best.end());
  answers.highest = *std::ranges::max_element(scores);
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - answers.highest);
  answers.log_sum = answers.highest + std::log(sum);
  return answers;
}

}  // namespace

MixedAsker::MixedAsker(std::vector<WeighedScorer> parts, std::int32_t entities)
    : parts_(std::move(parts)), entities_(static_cast<std::size_t>(entities)), row_(entities_) {}

void MixedAsker::mix_row(std::size_t row, std::size_t rows) {
  for (std::size_t e = 0; e < entities_; ++e) {
    double sum = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      sum += parts_[p].weight * held_[(p * rows + row) * entities_ + e];
    row_[e] = static_cast<float>(sum);
  }
}

// By time: some part may derive its candidates anew for each.
void MixedAsker::for_each_row(std::span<const QueryPair> queries, const UseRow& use) {
  const auto order = asking_order(queries, Candidates::each_time);
  const std::size_t rows_at_once =
      std::clamp<std::size_t>(most_held_scores / (entities_ * parts_.size()), 1, most_rows_mixed);
  std::vector<QueryPair> asked;
  for (std::size_t done = 0; done < queries.size(); done += rows_at_once) {
    const std::size_t rows = std::min(rows_at_once, queries.size() - done);
    asked.clear();
    for (std::size_t i = 0; i < rows; ++i) asked.push_back(queries[order[done + i]]);
    held_.resize(parts_.size() * rows * entities_);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      parts_[p].scorer->score(asked,
                              std::span(held_).subspan(p * rows * entities_, rows * entities_));
    for (std::size_t i = 0; i < rows; ++i) {
      mix_row(i, rows);
      use(order[done + i], row_);
    }
  }
}

void MixedAsker::score(std::span<const QueryPair> queries, std::span<float> scores) {
  for_each_row(queries, [&](std::size_t question, std::span<const float> row) {
    std::ranges::copy(row, scores.begin() + static_cast<std::ptrdiff_t>(question * entities_));
  });
}

void MixedAsker::rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) {
  for_each_row(queries_of(questions), [&](std::size_t question, std::span<const float> row) {
    if (!all_finite(row)) fail_unrankable(question);
    counts[question] = counts_in(row, questions[question]);
  });
}

void MixedAsker::top(std::span<const QueryPair> queries, std::size_t k,
                     std::span<TopAnswers> answers) {
  for_each_row(queries, [&](std::size_t question, std::span<const float> row) {
    if (!all_finite(row)) fail_unrankable(question);
    answers[question] = best_in(row, k);
  });
}

}  // namespace orrery
