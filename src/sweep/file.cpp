#include "sweep/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "base/mapped_file.h"
#include "base/toml_line.h"
#include "sweep/refusal.h"
#include "sweep/searched_value.h"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 3> search_names = {"grid", "random", "halving"};
constexpr double most_values = 10'000;  // of one option

double number_in(const std::string& text, const std::string& name, const std::string& range) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number))
    fail_request(About{.option = name}, "{} = \"{}\": '{}' is not a number", name, range, text);
  return number;
}

std::vector<std::string> stepped_values(const std::string& name, double from, double to,
                                        double step) {
  if (!(step > 0))
    fail_request(About{.option = name}, "{}: the step is {}, but must be above 0", name, step);
  const double count = std::floor((to - from) / step + 1e-9) + 1;
  if (count > most_values)
    fail_request(About{.option = name, .advice = "take a larger step"},
                 "{}: steps of {} make {} values, and {} are the most", name, step, count,
                 most_values);
  std::vector<std::string> values;
  for (int i = 0; i < static_cast<int>(count); ++i)
    values.push_back(checked_value(name, fmt::format("{:.10g}", from + i * step)));
  return values;
}

std::vector<std::string> words_of_range(std::string text) {
  const auto dots = text.find("..");
  if (dots != std::string::npos) text.replace(dots, 2, " .. ");
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

void check_list_ends(const TomlLine& line) {
  if (line.value.starts_with('[') && !is_toml_list(line))
    fail_request(About{.option = line.name,
                       .place = {line.file, line.number},
                       .advice = "a list must stand on one line"},
                 "{} = {}: the list has no ]", line.name, line.value);
}

std::vector<TomlLine> lines_of(std::string_view text, const std::string& file) {
  try {
    return toml_lines(text, file);
  } catch (const Error&) {
    // What is no line may be the rest of a list, and then it is the list that is wrong.
    for (auto end = text.find('\n'); end != std::string_view::npos;
         end = text.find('\n', end + 1)) {
      const auto before = toml_lines(text.substr(0, end), file);
      if (!before.empty()) check_list_ends(before.back());
    }
    throw;
  }
}

// Values of a list or of a single value, as on the command line.
std::vector<std::string> values_of(const TomlLine& line, const OptionInfo& option) {
  auto elements = is_toml_list(line) ? toml_elements(line) : std::vector{line.value};
  if (!is_quoted(option)) return elements;
  std::vector<std::string> texts;
  for (const std::string& element : elements) {
    read_toml_value({line.file, line.number, line.name, element}, texts.emplace_back());
  }
  return texts;
}

SearchedOption searched_by(const TomlLine& line) {
  const OptionInfo& info = option_named(line.name);
  if (is_number(info) && line.value.starts_with('"')) {
    std::string text;
    read_toml_value(line, text);
    return parse_range(info.name, text);
  }
  const About option{.option = info.name};
  if (is_list(info) && !is_toml_list(line))
    fail_request(About{.option = info.name, .advice = "each is one value: [\"\", \"a\", \"a,b\"]"},
                 "{} = {} is not a list of texts", line.name, line.value);
  SearchedOption searched{.name = info.name};
  for (const std::string& text : values_of(line, info)) {
    const std::string value = checked_value(info.name, text);
    if (std::ranges::find(searched.values, value) != searched.values.end())
      fail_request(option, "{} is to be tried with {} twice", line.name, text);
    searched.values.push_back(value);
  }
  if (searched.values.empty()) fail_request(option, "{} = [] leaves nothing to try", line.name);
  return searched;
}

// Calls visitor(name, value) for the lines that are the sweep's own.
template <class Options, class Visitor>
void visit_own(Options& options, const Visitor& visitor) {
  visitor("search", options.search);
  visitor("trials", options.trials);
  visitor("seeds", options.seeds);
  visitor("keep", options.keep);
  visitor("first-epochs", options.first_epochs);
  visitor("keep-runs", options.keep_runs);
}

void read_own(const TomlLine& line, std::int64_t& value) { read_toml_value(line, value); }
void read_own(const TomlLine& line, std::optional<std::int64_t>& value) {
  read_toml_value(line, value.emplace());
}
void read_own(const TomlLine& line, Search& value) {
  std::string name;
  read_toml_value(line, name);
  value = search_named(name);
}

std::string own_text(std::int64_t value) { return toml_value(value); }
std::string own_text(const std::optional<std::int64_t>& value) {
  return value ? toml_value(*value) : "";
}
std::string own_text(Search value) { return toml_value(std::string(name_of(value))); }

bool take_own_line(const TomlLine& line, SweepOptions& options) {
  bool taken = false;
  visit_own(options, [&](std::string_view name, auto& value) {
    if (line.name != name) return;
    read_own(line, value);
    taken = true;
  });
  return taken;
}

void take_line(const TomlLine& line, SweepOptions& options) {
  const bool own = take_own_line(line, options);
  // Files of earlier versions have former names.
  const std::string name = own ? line.name : option_named(line.name).name;
  if (!options.origins.emplace(name, Place(line.file, line.number)).second)
    fail_request(About{.option = name}, "'{}' is given twice", line.name);
  if (own) return;
  SearchedOption option = searched_by(line);
  if (option.values.size() == 1)
    set_option(options.fixed, option.name, option.values.front());
  else
    options.searched.push_back(std::move(option));
}

std::string toml_of(std::string_view name, const std::string& text) {
  return is_quoted(option_named(name)) ? toml_value(text) : text;
}

std::string toml_of(const SearchedOption& option) {
  if (option.range)
    return toml_value(fmt::format("{} .. {}{}", option.range->from, option.range->to,
                                  option.range->logarithmic ? " log" : ""));
  std::vector<std::string> values;
  for (const std::string& value : option.values) values.push_back(toml_of(option.name, value));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

bool is_searched(const SweepOptions& options, std::string_view name) {
  return std::ranges::find(options.searched, name, &SearchedOption::name) != options.searched.end();
}

}  // namespace

std::string_view name_of(Search search) { return search_names[static_cast<std::size_t>(search)]; }

Search search_named(std::string_view name) {
  const auto found = std::ranges::find(search_names, name);
  if (found == search_names.end())
    fail_request(About{.option = "search",
                       .advice = fmt::format("there are {}", fmt::join(search_names, ", "))},
                 "there is no search '{}'", name);
  return static_cast<Search>(found - search_names.begin());
}

SearchedOption parse_range(const std::string& name, const std::string& text) {
  const auto words = words_of_range(text);
  const bool logarithmic = words.size() == 4 && words[3] == "log";
  const bool stepped = words.size() == 5 && words[3] == "step";
  if (words.size() < 3 || words[1] != ".." || (words.size() > 3 && !logarithmic && !stepped))
    fail_request(About{.option = name,
                       .advice = "write \"0.01 .. 0.3\", \"0.01 .. 0.3 log\" or \"0 .. 0.4 step "
                                 "0.1\", or a list such as [0, 0.1]"},
                 "{} = \"{}\" is not a range", name, text);
  const double from = number_in(words[0], name, text), to = number_in(words[2], name, text);
  if (!(from < to))
    fail_request(About{.option = name}, "{} = \"{}\": a range goes upwards", name, text);
  if (logarithmic && !(from > 0))
    fail_request(About{.option = name}, "{} = \"{}\": a logarithmic range begins above 0", name,
                 text);
  if (stepped)
    return {.name = name,
            .values = stepped_values(name, from, to, number_in(words[4], name, text))};
  for (const auto* end : {&words[0], &words[2]}) checked_value(name, *end);
  return {.name = name, .range = SearchedRange{from, to, logarithmic}};
}

SweepOptions sweep_from_toml(std::string_view text, const std::string& file) {
  SweepOptions options;
  options.file = file;
  const TomlLine* single = nullptr;
  const auto lines = lines_of(text, file);
  for (const TomlLine& line : lines) {
    check_list_ends(line);
    try {
      take_line(line, options);
    } catch (const Error& error) {
      throw error.at({file, line.number});
    }
    if (single == nullptr && is_toml_list(line)) single = &line;
  }
  if (options.searched.empty() && single != nullptr)
    fail_request(About{.option = single->name,
                       .place = {file, single->number},
                       .advice = "give it several, such as [0, 0.1, 0.2]"},
                 "nothing is searched: {} = {} has one value", single->name, single->value);
  return options;
}

std::string sweep_to_toml(const SweepOptions& options) {
  std::string text =
      "# What this sweep was asked for; `orrery sweep --config FILE --out DIR` repeats it.\n";
  visit_own(options, [&](std::string_view name, const auto& value) {
    const std::string written = own_text(value);
    if (!written.empty()) text += fmt::format("{} = {}\n", name, written);
  });
  text += "\n# Searched\n";
  for (const SearchedOption& option : options.searched)
    text += fmt::format("{} = {}\n", option.name, toml_of(option));
  text += "\n# Fixed\n";
  for (const OptionInfo& info : option_table()) {
    if (is_searched(options, info.name)) continue;
    const std::string value = toml_of(info.name, option_text(options.fixed, info.name));
    text += fmt::format("{} = {}\n", info.name, is_list(info) ? "[" + value + "]" : value);
  }
  return text;
}

SweepOptions read_sweep(const std::filesystem::path& file) {
  return sweep_from_toml(MappedFile(file).text(), file.string());
}

void fix_options(SweepOptions& options, const OptionChanges& changes) {
  for (const auto& [given, text] : changes) {
    const std::string& name = option_named(given).name;
    if (is_searched(options, name))
      fail_request(blaming(options, name, "take it out of what is searched to fix it"),
                   "{} is searched", option_mark(name));
    set_option(options.fixed, name, text);
    options.origins.erase(name);  // the file is not to blame
  }
}

std::string words_of_fixed_options(const SweepOptions& options) {
  std::vector<std::string> fixed;
  for (const OptionDifference& option : differences(comparison_defaults(), options.fixed))
    if (option.name != "data") fixed.push_back(fmt::format("{} = {}", option.name, option.second));
  return fmt::format("{}", fmt::join(fixed, ", "));
}

}  // namespace orrery
