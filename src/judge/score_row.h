// The scores of all candidates for one question, and what they say of one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/asker.h"

namespace orrery {

// Scores of this many questions at a time fit the memory that is meant for them.
inline std::size_t questions_in_hand(std::size_t entities) {
  constexpr std::size_t most_scores = std::size_t{1} << 24;
  return most_scores / entities + 1;
}

// Answers that are known to be true take nothing from the others: they are left out of the softmax.
class ScoreRow {
 public:
  // `known` is ascending; both must outlive the row.
  ScoreRow(std::span<const float> scores, std::span<const std::int32_t> known);

  // Of one that is known, too, against the others.
  double log_probability(std::int32_t entity) const;
  // Of one that is known, against all that are not: it tells apart what is next to certain.
  double log_odds(std::int32_t known) const;
  // log Σ exp(score) over all, known or not.
  double log_sum() const;
  // 1, and one more for each other candidate that is scored as high.
  std::int32_t rank(std::int32_t entity) const;
  // The best that are not known, the best first; `but` is none of them.
  std::vector<ScoredEntity> best(std::size_t most, std::int32_t but = -1) const;
  bool knows(std::int32_t entity) const;
  bool finite() const;

 private:
  std::span<const float> scores_;
  std::span<const std::int32_t> known_;
  double log_sum_ = 0;  // over those that are not known
};

}  // namespace orrery
