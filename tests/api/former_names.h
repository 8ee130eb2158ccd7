// Config files as earlier versions wrote them.
#pragma once

#include <string>

#include "orrery/options.h"

namespace orrery::testing {

// Every option under its first name, and none that there was not.
inline std::string with_former_names(std::string config) {
  const auto replace = [&](const std::string& now, const std::string& then) {
    for (auto at = config.find("\n" + now); at != config.npos; at = config.find("\n" + now, at + 1))
      config.replace(at + 1, now.size(), then);
  };
  for (const OptionInfo& option : option_table())
    if (!option.formerly.empty()) replace(option.name + " = ", option.formerly.front() + " = ");
  replace("split-by = ", "# ");
  return config;
}

}  // namespace orrery::testing
