// What kind of relation each one is: how many facts, subjects and objects, and how they pair up.
#pragma once

#include <vector>

#include "data/temporal_graph.h"
#include "orrery/data_check.h"

namespace orrery {

// Of all splits together, most facts first; relations of equally many facts in the order of ids.
// "At one time" is the mean over facts of how many hold when the fact begins; an interval that ends
// when the next begins makes room for it.
std::vector<RelationProfile> profile_relations(const TemporalGraph& data);

}  // namespace orrery
