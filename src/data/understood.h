// What was made of the files, in sentences.
#pragma once

#include <vector>

#include "data/load.h"

namespace orrery {

std::vector<Understood> understood_of(const LoadReport& report);

}  // namespace orrery
