// What a sweep asks for, as a file: the notation of lists and ranges.
#pragma once

#include <string>
#include <string_view>

#include "orrery/sweep.h"

namespace orrery {

// "0.01 .. 0.3 log" or "64 .. 512 step 64" for an option that is a number; a step makes it a list.
SearchedOption parse_range(const std::string& name, const std::string& text);

SweepOptions sweep_from_toml(std::string_view text, const std::string& file);
// The same in full, readable by sweep_from_toml: fixed options, searched ones and the sweep's own.
std::string sweep_to_toml(const SweepOptions& options);

// "dim = 4000, epochs = 50": fixed options that are not the defaults; the data is not among them.
std::string words_of_fixed_options(const SweepOptions& options);

}  // namespace orrery
