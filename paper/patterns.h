// How a trained model treats relations that are symmetric, inverse or evolving in its data: how
// well it ranks their facts, with and without the counterpart in training, and how near its
// transforms are to what the algebra asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/evaluate.h"

namespace orrery {

struct Report;  // page/report.h

enum class RelationPattern { symmetric, inverse, evolving, none };
std::string_view name_of(RelationPattern pattern);

// Ranks of both queries of each fact, pessimistic.
struct FactsScore {
  std::uint64_t facts = 0;
  double mrr = 0;
};

// The evaluated facts of all relations of a pattern. A fact's counterpart is what it follows from:
// symmetric (o, r, s, t), inverse (o, r', s, t), evolving the cause, `lag` times earlier.
struct PatternTreatment {
  RelationPattern pattern = RelationPattern::none;
  std::size_t relations = 0;
  FactsScore all;
  FactsScore known, unknown;  // whose counterpart is a training fact, or is not
};

// A relation or pair of relations that has the pattern.
struct PatternRelation {
  RelationPattern pattern = RelationPattern::none;
  std::string relation;         // evolving: the cause
  std::string other;            // the inverse, or the effect; the relation itself where symmetric
  bool turned = true;           // the other runs from object to subject
  std::int32_t lag = 0;         // of evolving ones, in times
  std::uint64_t facts = 0;      // of the relation, in all splits …
  std::uint64_t agreeing = 0;   // … and those for which the other's fact stands, too
  std::uint64_t by_chance = 0;  // evolving: those for which it stands as long before
  FactsScore score;             // evaluated facts of the relation; evolving: of the effect
  double distance = 0;          // see below; 0 where there are no distances, not a number where
                                // the times are too few for the lag
};

// ‖R₁ − R₂†‖ / √(2‖R₁‖² + 2‖R₂‖²), with R₂ in place of R₂† where a pair is not turned: mean and
// deviation over pairs, which is 0 for one.
struct PatternDistance {
  std::string of;
  std::size_t pairs = 0;
  double mean = 0, deviation = 0;
};

struct Patterns {
  std::string split;
  FactsScore all;
  std::vector<PatternTreatment> treatments;  // last: the facts of relations without a pattern
  std::vector<PatternRelation> relations;
  std::vector<PatternDistance> distances;
  std::string no_distances;  // why there are none; empty: there are
  std::int32_t sampled_times = 0, times = 0;
};

// Of any model.
Patterns measure_patterns(const Model& model, const Dataset& data,
                          const EvaluateOptions& options = {});
Report patterns_report(const Patterns& patterns);
nlohmann::ordered_json patterns_json(const Patterns& patterns);

}  // namespace orrery
