#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reference_pages.h"

namespace orrery {
namespace {

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

// Of a|b|c each by itself: a bar would end the cell.
std::string value_cell(const OptionReference& option) {
  if (option.type.find('|') == std::string::npos) return code(option.type);
  return fmt::format("`{}`", fmt::join(CLI::detail::split(option.type, '|'), "`, `"));
}

std::string escaped_bars(const std::string& text) {
  return CLI::detail::find_and_replace(text, "|", "\\|");
}

std::string row_of(const OptionReference& option) {
  const std::string name =
      option.positional() ? option.name : fmt::format("{}", fmt::join(option.flags, ", "));
  return fmt::format("| {} | {} | {} | {}{} |\n", code(name), value_cell(option),
                     code(option.default_value), escaped_bars(option.sentence),
                     option.required ? " (required)" : "");
}

std::string tables_of(const VerbReference& verb) {
  std::vector<std::string> groups;
  for (const OptionReference& option : verb.options) {
    const std::string& group = option.group;
    if (!group.empty() && std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  std::string text;
  for (const std::string& group : groups) {
    text += fmt::format("\n| {} | value | default | what it does |\n|---|---|---|---|\n", group);
    for (const OptionReference& option : verb.options)
      if (option.group == group) text += row_of(option);
  }
  return text;
}

std::string block(std::string_view language, const std::string& text) {
  return fmt::format("\n```{}\n{}\n```\n", language, text);
}

std::string section_of(const VerbReference& verb) {
  std::string text = fmt::format("\n## orrery{}{}\n\n{}.\n", verb.words.empty() ? "" : " ",
                                 verb.path(), verb.sentence);
  text += block("text", verb.usage);
  text += tables_of(verb);
  if (!verb.notes.empty()) text += block("text", verb.notes);
  if (!verb.examples.empty())
    text += "\nExamples:\n" + block("sh", fmt::format("{}", fmt::join(verb.examples, "\n")));
  return text;
}

}  // namespace

std::string markdown_reference(const std::vector<VerbReference>& verbs) {
  std::string page =
      "# Command line\n\nEvery verb and every option, as `orrery help` tells them. Options of "
      "models, of training\nand of data stand in config files under the same names.\n";
  for (const VerbReference& verb : verbs) page += section_of(verb);
  return page;
}

}  // namespace orrery
