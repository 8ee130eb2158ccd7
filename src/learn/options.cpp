#include "learn/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/memory_budget.h"
#include "engine/engine.h"
#include "learn/toml_line.h"

namespace orrery {
namespace {

void check_value(const OptionInfo& info, const std::string& value) {
  if (info.values.empty() || std::ranges::find(info.values, value) != info.values.end()) return;
  std::vector<std::string_view> shown;
  for (const auto known : info.values)
    if (!known.empty()) shown.push_back(known);
  fail_request("--{} is '{}', but must be one of {}", info.name, value, fmt::join(shown, ", "));
}
void check_value(const OptionInfo&, bool) {}
void check_value(const OptionInfo&, const std::vector<std::string>&) {}
template <class Number>
requires std::is_arithmetic_v<Number>
void check_value(const OptionInfo& info, Number value) {
  const auto number = static_cast<double>(value);
  if (!(number >= info.least && number <= info.most))
    fail_request("--{} is {}, but must be from {} to {}", info.name, value, info.least, info.most);
}

// Others would never be visited, and so be lost without a word.
void check_choice_names(const TrainOptions& options) {
  std::vector<std::string_view> known;
  for (const ChoiceOption& choice : choice_options()) known.push_back(choice.name);
  for (const auto& [name, value] : options.choices)
    if (std::ranges::find(known, name) == known.end())
      fail_request("no model has a choice '{}'; there are {}", name, fmt::join(known, ", "));
}

}  // namespace

void check_values(const TrainOptions& options) {
  visit_options(options,
                [](const OptionInfo& info, const auto& value) { check_value(info, value); });
  check_choice_names(options);
  if (options.time_exponent > 0 && options.time_exponent < 2)
    fail_request("--time-exponent is {}, but must be 0 or from 2 on", options.time_exponent);
  check_device(options.device);
  if (!options.memory.empty()) parse_memory(options.memory);
}

void check_options(const TrainOptions& options) {
  check_values(options);
  if (options.teacher > 0 && options.average == 0)
    fail_request("--teacher needs an average that teaches: add --average 0.8");
  if (options.patience > 0 && options.eval_every == 0)
    fail_request("--patience needs validation: add --eval-every N");
}

std::string options_to_toml(const TrainOptions& options) {
  std::string text =
      "# Written by orrery train; `orrery train --config FILE --out RUN` repeats it.\n";
  visit_options(options, [&](const OptionInfo& info, const auto& value) {
    text += fmt::format("\n# {}\n{} = {}\n", info.sentence, info.name, toml_value(value));
  });
  return text;
}

TrainOptions options_from_toml(std::string_view text, const std::string& file,
                               const TrainOptions& defaults) {
  TrainOptions options = defaults;
  std::set<std::string> seen;
  for (const TomlLine& line : toml_lines(text, file)) {
    bool known = false;
    visit_options(options, [&](const OptionInfo& info, auto& value) {
      if (info.name != line.name) return;
      known = true;
      read_toml_value(line, value);
    });
    if (!known)
      fail_request("{}:{}: there is no option '{}'; `orrery train --help` lists them", file,
                   line.number, line.name);
    if (!seen.insert(line.name).second)
      fail_request("{}:{}: '{}' is given twice", file, line.number, line.name);
  }
  return options;
}

TrainOptions read_options(const std::filesystem::path& config, const TrainOptions& defaults) {
  return options_from_toml(MappedFile(config).text(), config.string(), defaults);
}

std::vector<OptionDifference> differences(const TrainOptions& first, const TrainOptions& second) {
  std::vector<OptionDifference> found;
  visit_options(first, [&](const OptionInfo& info, const auto& value) {
    found.push_back({std::string(info.name), toml_value(value), "", info.decides});
  });
  std::size_t i = 0;
  visit_options(
      second, [&](const OptionInfo&, const auto& value) { found[i++].second = toml_value(value); });
  std::erase_if(found, [](const OptionDifference& o) { return o.first == o.second; });
  return found;
}

std::set<std::string> names_of_options(Decides decides) {
  std::set<std::string> names;
  const TrainOptions defaults;
  visit_options(defaults, [&](const OptionInfo& info, const auto&) {
    if (info.decides == decides) names.emplace(info.name);
  });
  return names;
}

std::string options_of_resume() {
  std::vector<std::string> flags;
  const TrainOptions defaults;
  visit_options(defaults, [&](const OptionInfo& info, const auto&) {
    if (info.decides != Decides::result) flags.push_back(fmt::format("--{}", info.name));
  });
  const std::string last = flags.back();
  flags.pop_back();
  return fmt::format("{} and {}", fmt::join(flags, ", "), last);
}

void overwrite_options(TrainOptions& to, const TrainOptions& from,
                       const std::vector<std::string>& names) {
  std::string lines;
  visit_options(from, [&](const OptionInfo& info, const auto& value) {
    if (std::ranges::find(names, info.name) != names.end())
      lines += fmt::format("{} = {}\n", info.name, toml_value(value));
  });
  to = options_from_toml(lines, "options", to);
}

std::string shaping_options_to_toml(const TrainOptions& options) {
  std::string text;
  visit_options(options, [&](const OptionInfo& info, const auto& value) {
    if (info.decides == Decides::result)
      text += fmt::format("{} = {}\n", info.name, toml_value(value));
  });
  return text;
}

}  // namespace orrery
