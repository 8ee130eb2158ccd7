// The version of the library; the build reads it from here.
#pragma once

#include <string_view>

namespace orrery {

constexpr std::string_view version() { return "0.1.0"; }

}  // namespace orrery
