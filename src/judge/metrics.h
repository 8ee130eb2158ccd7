// From counts of better and equal candidates to ranks, and from ranks to the usual figures.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ranking.h"

namespace orrery {

// With G candidates scored higher and Q others scored equal, a rank is
enum class TieRule {
  pessimistic,  // 1 + G + Q: the headline
  realistic,    // 1 + G + Q/2
  optimistic,   // 1 + G
};

double rank_of(RankCounts counts, TieRule rule);

// Fractions, not percent; all zero when nothing was counted.
struct Metrics {
  std::uint64_t count = 0;
  double mrr = 0;
  double hits1 = 0;
  double hits3 = 0;
  double hits10 = 0;

  friend bool operator==(const Metrics&, const Metrics&) = default;
};

// Ranks are added in the order they come, in double: the caller's order decides every bit.
class MetricsSum {
 public:
  void add(double rank);
  Metrics mean() const;

 private:
  std::uint64_t count_ = 0, hits1_ = 0, hits3_ = 0, hits10_ = 0;
  double reciprocals_ = 0;
};

Metrics metrics_of(std::span<const RankCounts> counts, TieRule rule);

}  // namespace orrery
