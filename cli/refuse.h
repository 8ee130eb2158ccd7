// A request that the command line itself cannot carry out.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "orrery/error.h"

namespace orrery {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Error::Kind::request, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace orrery
