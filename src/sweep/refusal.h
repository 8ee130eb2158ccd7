// Refusals of a sweep name the line of its file that asks for what cannot be.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "orrery/sweep.h"

namespace orrery {

// "file:line" of an option, or an empty text.
std::string origin_of(const SweepOptions& options, const std::string& name);

// The same of the first option that a message names as --dim or 'attention'.
std::string line_named_in(const SweepOptions& options, std::string_view message);

// A refusal that names the line of the option, where there is one.
template <class... Args>
[[noreturn]] void fail_at(const SweepOptions& options, const std::string& name,
                          fmt::format_string<Args...> format, Args&&... args) {
  const std::string origin = origin_of(options, name);
  fail_request("{}{}{}", origin, origin.empty() ? "" : ": ",
               fmt::format(format, std::forward<Args>(args)...));
}

// Carries out `work`; what it refuses is said to be so in `trial`, and in which line or file.
template <class Work>
auto at_trial(const SweepOptions& options, const std::string& trial, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string line = line_named_in(options, error.what());
    const std::string& place = line.empty() ? options.file : line;
    throw Error(error.kind(),
                fmt::format("{}{}{}: {}", place, place.empty() ? "" : ": ", trial, error.what()));
  }
}

}  // namespace orrery
