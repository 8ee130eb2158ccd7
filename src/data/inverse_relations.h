// Relations that another (or the same) relation states the other way round: a source of leaks.
#pragma once

#include <vector>

#include "data/data_check.h"

namespace orrery {

// Every pair where at least 80 % of the distinct facts (s, relation, o, t) of all splits also stand
// as (o, inverse, s, t); those with the most facts first.
std::vector<InverseRelation> find_inverse_relations(const TemporalGraph& data);

}  // namespace orrery
