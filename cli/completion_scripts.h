// Scripts with which shells complete verbs, options and their values.
#pragma once

#include <string>
#include <vector>

#include "verb_reference.h"

namespace orrery {

std::string bash_completion(const std::vector<VerbReference>& verbs);
std::string zsh_completion(const std::vector<VerbReference>& verbs);
std::string fish_completion(const std::vector<VerbReference>& verbs);

}  // namespace orrery
