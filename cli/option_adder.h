// The options of a run on a command line, as they describe themselves.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "learn/options.h"

namespace orrery {

// Whole numbers from 0 up that fit the value; CLI11 alone would take -1 for the largest there is.
template <class Number>
CLI::Validator whole_number() {
  return {[](const std::string& text) {
            Number number = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            return error == std::errc() && stop == end && number >= 0
                       ? std::string()
                       : fmt::format("'{}' is no whole number from 0 to {}", text,
                                     std::numeric_limits<Number>::max());
          },
          ""};
}

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
      if constexpr (std::is_same_v<Value, std::uint64_t>) option->check(whole_number<Value>());
      if constexpr (std::is_same_v<Value, std::string>) {
        std::string shown;
        for (const auto known : info.values)
          if (!known.empty()) shown += (shown.empty() ? "" : "|") + std::string(known);
        if (!shown.empty()) option->type_name(shown);
      }
    }
  });
}

// The options of a run that stand on the command line.
inline std::vector<std::string> given_options(const CLI::App& verb) {
  std::vector<std::string> given;
  const TrainOptions defaults;
  visit_options(defaults, [&](const OptionInfo& info, const auto&) {
    const auto* option = verb.get_option_no_throw(fmt::format("--{}", info.name));
    if (option != nullptr && option->count() > 0) given.emplace_back(info.name);
  });
  return given;
}

// For verbs that are no training: sentence and bounds are those of the run's option.
template <class Value>
void add_run_option(CLI::App& verb, std::string_view name, Value& value) {
  const TrainOptions defaults;
  visit_options(defaults, [&](const OptionInfo& info, const auto&) {
    if (info.name != name) return;
    auto* option = verb.add_option(fmt::format("--{}", name), value, std::string(info.sentence))
                       ->capture_default_str();
    if constexpr (std::is_arithmetic_v<Value>)
      option->check(CLI::Range(static_cast<int>(info.least), static_cast<int>(info.most)));
  });
}

inline CLI::Option* add_no_verify(CLI::App& verb, bool& verify) {
  return verb.add_flag_callback(
      "--no-verify", [&verify] { verify = false; },
      "do not compare the file's checksums: for huge models on trusted disks");
}

}  // namespace orrery
