// Words of messages: durations, and paths as a shell takes them.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

std::string format_duration(double seconds);  // "42 s", "3:07", "1:02:45"
// In single quotes where a shell would read it otherwise.
std::string shell_quoted(std::string_view word);

}  // namespace orrery
