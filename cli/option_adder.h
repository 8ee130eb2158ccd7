// The options of a run on a command line, as they describe themselves.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "learn/options.h"

namespace orrery {

// Only options whose name is in `names`; all if it is empty.
inline void add_train_options(CLI::App& verb, TrainOptions& options,
                              const std::vector<std::string_view>& names = {}) {
  visit_options(options, [&](const OptionInfo& info, auto& value) {
    if (!names.empty() && std::find(names.begin(), names.end(), info.name) == names.end()) return;
    const std::string flag = fmt::format("--{}", info.name);
    const std::string sentence(info.sentence);
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>) {
      verb.add_flag(flag, value, sentence);
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      verb.add_option(flag, value, sentence)->delimiter(',');
    } else {
      auto* option = verb.add_option(flag, value, sentence)->capture_default_str();
      if constexpr (std::is_same_v<Value, std::string>) {
        std::string shown;
        for (const auto known : info.values)
          if (!known.empty()) shown += (shown.empty() ? "" : "|") + std::string(known);
        if (!shown.empty()) option->type_name(shown);
      }
    }
  });
}

}  // namespace orrery
