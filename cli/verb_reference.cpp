#include "verb_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "help_format.h"
#include "orrery/benchmarks.h"
#include "orrery/models.h"
#include "paper/reproduce.h"
#include "wrong_words.h"

namespace orrery {
namespace {

template <class Infos>
std::vector<std::string> names_of(const Infos& infos) {
  std::vector<std::string> names;
  for (const auto& info : infos) names.push_back(info.name);
  return names;
}

std::vector<std::string> values_of_type(const std::string& type) {
  if (type == "MODEL") return names_of(models());
  if (type == "SET") return names_of(benchmarks());
  if (type == "STUDY") {
    auto words = names_of(studies());
    words.insert(words.end(), {"all", "show", "tables"});
    return words;
  }
  const bool known = type.find('|') != std::string::npos && !type.ends_with("PATH");
  return known ? CLI::detail::split(type, '|') : std::vector<std::string>();
}

OptionReference reference_of(const CLI::Option& option) {
  OptionReference reference;
  for (const auto& name : option.get_snames()) reference.flags.push_back("-" + name);
  for (const auto& name : option.get_lnames()) reference.flags.push_back("--" + name);
  if (reference.flags.empty()) reference.name = option.get_name();
  if (option.get_items_expected_max() > 0) reference.type = option.get_type_name();
  reference.values = values_of_type(reference.type);
  reference.default_value = option.get_default_str();
  reference.sentence = option.get_description();
  reference.group = option.get_group();
  reference.required = option.get_required();
  return reference;
}

void add_reference(std::vector<VerbReference>& all, const CLI::App& app,
                   const std::vector<std::string>& words) {
  VerbReference verb;
  verb.words = words;
  verb.sentence = app.get_description();
  const HelpEnd end = help_end(app);
  verb.notes = end.notes;
  verb.examples = end.examples;
  verb.verbs = verbs_of(app);
  verb.usage = fmt::format("orrery{}{} [OPTIONS]", words.empty() ? "" : " ", verb.path());
  for (const CLI::Option* option : app.get_options()) {
    OptionReference& last = verb.options.emplace_back(reference_of(*option));
    if (last.type == "VERB") last.values = all.front().verbs;
    if (last.positional())
      verb.usage += last.required ? " " + last.name : fmt::format(" [{}]", last.name);
  }
  if (!verb.verbs.empty()) verb.usage += " SUBCOMMAND";
  all.push_back(verb);
  for (const CLI::App* part : app.get_subcommands([](const CLI::App*) { return true; })) {
    auto longer = words;
    longer.push_back(part->get_name());
    add_reference(all, *part, longer);
  }
}

}  // namespace

std::string VerbReference::path() const { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<VerbReference> reference_of(const CLI::App& program) {
  std::vector<VerbReference> all;
  add_reference(all, program, {});
  return all;
}

}  // namespace orrery
