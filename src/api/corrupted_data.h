// Facts made false on purpose, to see whether an audit finds them.
#pragma once

#include <map>
#include <string>

#include "orrery/dataset.h"

namespace orrery {

struct CorruptedData {
  Dataset data;
  std::map<Fact, std::string> replaced;  // the facts that are false now, and who stood in them
};

// One side of a share of the training facts becomes an entity drawn from all, so that no split has
// the fact; which ones and by whom follows from the seed.
CorruptedData corrupted_data(const Dataset& data, double share, std::uint64_t seed);

}  // namespace orrery
