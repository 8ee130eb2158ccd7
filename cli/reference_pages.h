// All verbs and options as one page.
#pragma once

#include <string>
#include <vector>

#include "verb_reference.h"

namespace orrery {

std::string man_page(const std::vector<VerbReference>& verbs);  // roff
std::string markdown_reference(const std::vector<VerbReference>& verbs);

}  // namespace orrery
