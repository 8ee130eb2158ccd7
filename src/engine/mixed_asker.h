// Several models asked as one: the score of a candidate is the weighted sum of what the parts give
// it. What is beside a part's formula (its history) is in that part's scores.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/asker.h"

namespace orrery {

struct WeighedScorer {
  std::unique_ptr<Scorer> scorer;
  double weight = 0;
};

// Rows of the parts' scores are held side by side, a few questions at a time; sums are taken in
// double and rounded once.
class MixedAsker final : public Asker {
 public:
  MixedAsker(std::vector<WeighedScorer> parts, std::int32_t entities);

  void score(std::span<const QueryPair> queries, std::span<float> scores) override;
  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override;
  void top(std::span<const QueryPair> queries, std::size_t k,
           std::span<TopAnswers> answers) override;

 private:
  using UseRow = std::function<void(std::size_t question, std::span<const float> scores)>;
  void for_each_row(std::span<const QueryPair> queries, const UseRow& use);
  void mix_row(std::size_t row, std::size_t rows);

  std::vector<WeighedScorer> parts_;
  std::size_t entities_;
  std::vector<float> held_, row_;  // scores by part, question and entity; and of one question
};

}  // namespace orrery
