// Facts without splits, taken as they are.
#pragma once

#include <string>

#include "orrery/dataset.h"

namespace orrery {

// Where no split is named, `options` leave the facts of one list together. True: it is one file.
bool take_whole_list(const std::string& source, DataOptions& options);

}  // namespace orrery
