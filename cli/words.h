// Words of messages: counts, durations, and paths as a shell takes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

std::string number_of(std::int64_t count, std::string_view what);  // "1 epoch", "4 epochs"
std::string format_duration(double seconds);                       // "42 s", "3:07", "1:02:45"
// In single quotes where a shell would read it otherwise.
std::string shell_quoted(std::string_view word);

}  // namespace orrery
