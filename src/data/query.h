// The questions that a model answers, in ids. Engines know these and nothing else of data.
#pragma once

#include <compare>
#include <cstdint>

namespace orrery {

// "Which object?", the only question a model answers.
struct Query {
  std::int32_t subject = 0;
  std::int32_t relation = 0;  // a relation row: forward, end-of-interval or reciprocal
  std::int32_t time = 0;      // a time row
  std::int32_t dates = 0;     // dates_key of the fact it is about; 0: not known, or not needed

  friend auto operator<=>(const Query&, const Query&) = default;
};

struct Example {
  Query query;
  std::int32_t object = 0;

  friend auto operator<=>(const Example&, const Example&) = default;
};

// One query for a point fact, and for an interval that holds within, at its asked_point. Two, whose
// scores are added, for one that is read by its ends (an unknown end gives the start query twice,
// an unknown start the end query twice).
struct QueryPair {
  Query first, second;
  bool paired = false;
};

}  // namespace orrery
