// When a fact is likeliest to hold, by what a model says of it at every time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/temporal_graph.h"
#include "engine/asker.h"
#include "orrery/calibration.h"

namespace orrery {

// A subject, a relation and an object at whatever time.
struct UndatedFact {
  RelationIds relations;
  const Timeline& times;
  std::int32_t entities = 0;  // that there are
  Fact fact;                  // but for its time
};

// Within: the run of times with the highest sum of log-odds, less their mean where that is above 0.
// Ends: the likeliest start, and the likeliest end that is not before it. `calibration`: none where
// there is none.
Moment likely_rows(Asker& asker, const UndatedFact& fact, const Calibration* calibration);

struct LikelySpan {
  Moment rows;      // unknown: that side was open, and stays so
  double gain = 0;  // over the fact's own: of the mean log-odds, or of both ends' log-probabilities
};

// Of interval facts, against their own span: within, the run with the highest sum of log-odds.
// Nothing: both sides are open.
std::optional<LikelySpan> likely_span(Asker& asker, const TemporalGraph& data, const Fact& fact,
                                      const Calibration* calibration);

// As a fact's time is written: "1999\t2004", and what is open stays "####".
std::string span_text(const Timeline& times, const LikelySpan& span);

}  // namespace orrery
