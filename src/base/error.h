// Throwing orrery::Error with a formatted message. Say what happened, and in About where, by which
// option, and what to do; in format strings `$lambda-n3` names an option, which each front end
// spells in its own way.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "orrery/error.h"

namespace orrery {

using About = ErrorDetails;

// Every `$name` marked as an option's name.
std::string with_marked_options(std::string_view format);

// A message or an advice; arguments are taken as they are, so that a `$` in a file's name is none
// of our marks.
template <class... Args>
std::string worded(fmt::format_string<Args...> format, Args&&... args) {
  const fmt::string_view text = format;
  return fmt::vformat(with_marked_options({text.data(), text.size()}),
                      fmt::make_format_args(args...));
}

template <class... Args>
[[noreturn]] void fail_request(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Error::Kind::request, worded(format, std::forward<Args>(args)...));
}
template <class... Args>
[[noreturn]] void fail_request(const About& about, fmt::format_string<Args...> format,
                               Args&&... args) {
  throw Error(Error::Kind::request, worded(format, std::forward<Args>(args)...), about);
}

template <class... Args>
[[noreturn]] void fail_model(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Error::Kind::model, worded(format, std::forward<Args>(args)...));
}
template <class... Args>
[[noreturn]] void fail_model(const About& about, fmt::format_string<Args...> format,
                             Args&&... args) {
  throw Error(Error::Kind::model, worded(format, std::forward<Args>(args)...), about);
}

template <class... Args>
[[noreturn]] void fail_broken(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Error::Kind::broken, worded(format, std::forward<Args>(args)...));
}
template <class... Args>
[[noreturn]] void fail_broken(const About& about, fmt::format_string<Args...> format,
                              Args&&... args) {
  throw Error(Error::Kind::broken, worded(format, std::forward<Args>(args)...), about);
}

}  // namespace orrery
