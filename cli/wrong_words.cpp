#include "wrong_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "orrery/options.h"

namespace orrery {
namespace {

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

bool is_option(const std::string& word) { return word.starts_with("--"); }
std::string option_name(const std::string& word) { return word.substr(0, word.find('=')); }

std::string no_such_option(const std::string& flag, const std::vector<std::string>& known) {
  for (const OptionInfo& info : option_table()) {
    const std::string now = "--" + info.name;
    if (std::ranges::count(info.formerly, flag.substr(2)) > 0 && std::ranges::count(known, now) > 0)
      return fmt::format("{} is now called {}", flag, now);
  }
  return no_such_word("option", flag, known);
}

}  // namespace

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::string no_such_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(word, known);
  if (!nearest.empty())
    return fmt::format("there is no {} '{}'; did you mean '{}'?", what, word, nearest);
  return fmt::format("there is no {} '{}'; there are {}", what, word, fmt::join(known, ", "));
}

std::optional<std::string> complain_of_unknown_word(CLI::App& app,
                                                    std::span<const char* const> words) {
  CLI::App* verb = &app;
  for (const std::string word : words) {
    const auto verbs = verbs_of(*verb);
    if (is_option(word)) {
      const std::string name = option_name(word);
      const auto options = options_of(*verb);
      if (std::ranges::find(options, name) == options.end()) return no_such_option(name, options);
    } else if (!verbs.empty()) {
      if (std::ranges::find(verbs, word) == verbs.end()) return no_such_word("verb", word, verbs);
      verb = verb->get_subcommand(word);
    }
  }
  return {};
}

std::optional<std::string> complain_of_repeated_option(CLI::App& app,
                                                       std::span<const char* const> words) {
  CLI::App* verb = &app;
  std::set<std::string> given;
  for (const std::string word : words) {
    if (word == "--") break;  // what follows is no option
    if (is_option(word)) {
      const auto* option = verb->get_option_no_throw(option_name(word));
      const bool one_value = option != nullptr && option->get_items_expected_max() == 1;
      if (one_value && !given.insert(option_name(word)).second)
        return fmt::format("{} is given twice", option_name(word));
    } else if (std::ranges::count(verbs_of(*verb), word) > 0) {
      verb = verb->get_subcommand(word);
    }
  }
  return {};
}

}  // namespace orrery
