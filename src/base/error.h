// Throwing orrery::Error with a formatted message: say what happened, where, and what to do.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "orrery/error.h"

namespace orrery {

template <class... Args>
[[noreturn]] void fail_request(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Error::Kind::request, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_model(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Error::Kind::model, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_broken(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Error::Kind::broken, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace orrery
