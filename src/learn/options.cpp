#include "learn/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/memory_budget.h"
#include "base/toml_line.h"
#include "engine/engine.h"
#include "learn/option_table.h"
#include "page/text_table.h"

namespace orrery {
namespace {

std::string toml_of(const OptionValue& value) {
  return std::visit([](const auto& v) { return toml_value(v); }, value);
}

void check_text(const OptionInfo& info, const std::string& value) {
  if (info.values.empty() || std::ranges::find(info.values, value) != info.values.end()) return;
  std::vector<std::string> shown = info.values;
  std::erase(shown, "");
  fail_request(About{.option = info.name}, "{} is '{}', but must be one of {}",
               option_mark(info.name), value, fmt::join(shown, ", "));
}

void check_value(const OptionInfo& info, const OptionValue& value) {
  std::visit(
      [&]<class Value>(const Value& v) {
        if constexpr (std::is_same_v<Value, std::string>) {
          check_text(info, v);
        } else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
          const auto number = static_cast<double>(v);
          if (!(number >= info.least && number <= info.most))
            fail_request(About{.option = info.name}, "{} is {}, but must be from {} to {}",
                         option_mark(info.name), v, info.least, info.most);
        }
      },
      value);
}

// Others would never be visited, and so be lost without a word.
void check_choice_names(const TrainOptions& options) {
  std::vector<std::string> known;
  for (const OptionInfo& info : option_table())
    if (info.is_choice) known.push_back(info.name);
  for (const auto& [name, value] : options.choices)
    if (std::ranges::find(known, name) == known.end())
      fail_request(About{.option = name}, "no model has a choice '{}'; there are {}", name,
                   fmt::join(known, ", "));
}

const OptionInfo& option_at(const TomlLine& line) {
  try {
    return option_named(line.name);
  } catch (const Error& error) {
    throw error.at({line.file, line.number});
  }
}

}  // namespace

void check_values(const TrainOptions& options) {
  for (const OptionEntry& entry : option_entries())
    check_value(entry.info, value_of(options, entry));
  check_choice_names(options);
  if (options.time_exponent > 0 && options.time_exponent < 2)
    fail_request(About{.option = "time-exponent"},
                 "$time-exponent is {}, but must be 0 or from 2 on", options.time_exponent);
  check_device(options.device);
  if (!options.memory.empty()) parse_memory(options.memory);
}

void check_options(const TrainOptions& options) {
  check_values(options);
  if (options.self_distillation > 0 && options.ema == 0)
    fail_request(About{.option = "self-distillation", .advice = worded("add $ema 0.8")},
                 "$self-distillation needs a moving average to learn from");
  if (!options.from.empty() && options.algebra_warmup > 0)
    fail_request(About{.option = "algebra-warmup", .advice = worded("leave one of them out")},
                 "$algebra-warmup begins with components at zero, and $from with a model's");
  if (options.patience > 0 && options.eval_every == 0)
    fail_request(About{.option = "patience", .advice = worded("add $eval-every N")},
                 "$patience needs validation");
}

std::string config_text(const TrainOptions& options) {
  std::string text =
      "# Written by orrery train; `orrery train --config FILE --out RUN` repeats it.\n";
  for (const OptionEntry& entry : option_entries())
    text += fmt::format("\n# {}\n{} = {}\n", entry.info.sentence, entry.info.name,
                        toml_of(value_of(options, entry)));
  return text;
}

TrainOptions read_config_text(std::string_view text, const std::string& file,
                              const TrainOptions& defaults) {
  TrainOptions options = defaults;
  std::set<std::string> seen;
  for (const TomlLine& line : toml_lines(text, file)) {
    const OptionInfo& info = option_at(line);
    OptionValue value = info.default_value;
    std::visit([&](auto& v) { read_toml_value(line, v); }, value);
    set_option(options, info.name, value);
    if (!seen.insert(info.name).second)
      fail_request(About{.option = info.name, .place = {file, line.number}}, "'{}' is given twice",
                   line.name);
  }
  return options;
}

TrainOptions read_config(const std::filesystem::path& file, const TrainOptions& defaults) {
  return read_config_text(MappedFile(file).text(), file.string(), defaults);
}

TrainOptions read_recorded_options(std::string_view text, const std::string& file) {
  TrainOptions before;
  before.reading.intervals = "ends";
  return read_config_text(text, file, before);
}

std::vector<OptionDifference> differences(const TrainOptions& first, const TrainOptions& second) {
  std::vector<OptionDifference> found;
  for (const OptionEntry& entry : option_entries()) {
    const OptionValue one = value_of(first, entry), other = value_of(second, entry);
    if (one != other)
      found.push_back({entry.info.name, toml_of(one), toml_of(other), entry.info.decides});
  }
  return found;
}

std::set<std::string> names_of_options(Decides decides) {
  std::set<std::string> names;
  for (const OptionInfo& info : option_table())
    if (info.decides == decides) names.insert(info.name);
  return names;
}

std::string options_of_resume() {
  std::vector<std::string> flags;
  for (const OptionInfo& info : option_table())
    if (info.may_change_on_resume()) flags.push_back(option_mark(info.name));
  return listed(flags);
}

std::string shaping_options_to_toml(const TrainOptions& options) {
  std::string text;
  for (const OptionEntry& entry : option_entries())
    if (entry.info.decides == Decides::result)
      text += fmt::format("{} = {}\n", entry.info.name, toml_of(value_of(options, entry)));
  return text;
}

}  // namespace orrery
