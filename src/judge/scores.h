// From ranks to the usual figures.
#pragma once

#include <cstdint>

#include "orrery/scores.h"

namespace orrery {

// Ranks are added in the order they come, in double: the caller's order decides every bit.
class ScoresSum {
 public:
  void add(double rank);
  Scores mean() const;

 private:
  std::uint64_t count_ = 0, hits1_ = 0, hits3_ = 0, hits10_ = 0;
  double reciprocals_ = 0;
};

}  // namespace orrery
