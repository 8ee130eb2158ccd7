// What a data set says around a fact: whether it is known, what else answers its questions, and
// which training facts share an entity with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/temporal_graph.h"
#include "orrery/explain.h"
#include "serve/asked_fact.h"

namespace orrery {

// Ids are the model's (align_data).
std::optional<KnownFactOf> find_fact(const TemporalGraph& data, const AskedFact& fact);

// Entities that answer the fact's question at its time in any split, each once, ascending.
std::vector<std::int32_t> known_answers(const TemporalGraph& data, const AskedFact& fact,
                                        Direction direction);

struct RelatedFact {
  Fact fact;
  Link link = Link::fact;
  Moment rows;                // time rows; unknown where a start or an end is
  std::int32_t distance = 0;  // from the asked time, in rows
};
struct RelatedFacts {
  std::vector<RelatedFact> nearest;  // at most as many as were wanted
  std::size_t all = 0;               // that have a link with it
};
// Of train; with options.any_link those too that share one entity alone. The nearest are those of
// the same two entities, then those of the same relation, then the others, each by their times.
RelatedFacts related_facts(const TemporalGraph& data, const AskedFact& fact,
                           const ExplainOptions& options);

}  // namespace orrery
