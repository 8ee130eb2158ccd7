// One file of facts, taken as it is.
#pragma once

#include <string>

#include "orrery/dataset.h"

namespace orrery {

// True where `source` is one file and no split is named: `options` then leave all facts together.
bool take_whole_file(const std::string& source, DataOptions& options);

}  // namespace orrery
