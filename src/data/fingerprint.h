// Knowing a data set again.
#pragma once

#include <string>
#include <string_view>

#include "data/temporal_graph.h"

namespace orrery {

// SHA-256 (hex) over the sorted facts of each split, as read: line order does not matter, but the
// granularity of point facts does, and so does what was skipped or how one file was split.
std::string fingerprint_of_facts(const TemporalGraph& data);

// What runs and models keep. Dates of interval facts are as the file writes them, so for those "."
// and a hash of the granularity and of the classes of times follow: they are what time rows mean.
// Where facts hold within, it is also of that reading and of the points at which each date holds.
std::string fingerprint(const TemporalGraph& data);

// True for the fingerprints of one data set. Where one of them says nothing of classes (it is from
// before they were part of it, or of the facts alone), only the facts are compared.
bool same_data(std::string_view one, std::string_view other);

}  // namespace orrery
