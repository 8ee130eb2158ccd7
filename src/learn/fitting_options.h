// The rules by which options follow from the counts of a data set.
#pragma once

#include <cstdint>

#include "orrery/defaults.h"

namespace orrery {

struct DataCounts {
  std::int64_t train = 0, valid = 0;  // facts
  std::int64_t entities = 0, times = 0;
  std::int64_t examples_per_fact = 2;
};

FittingOptions fitting_options(const DataCounts& counts, const OptionChanges& given);

}  // namespace orrery
