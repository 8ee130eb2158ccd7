#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/version.h"
#include "reference_pages.h"

namespace orrery {
namespace {

// Text as roff takes it: no line of it is a request, and a hyphen can be copied into a shell.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool line_begins = escaped.empty() || escaped.ends_with('\n');
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped;
}

std::string option_entry(const OptionReference& option) {
  std::string head =
      "\\fB" +
      roff(option.positional() ? option.name : fmt::format("{}", fmt::join(option.flags, ", "))) +
      "\\fR";
  if (option.takes_value()) head += " \\fI" + roff(option.type) + "\\fR";
  std::string sentence = roff(option.sentence);
  if (!option.default_value.empty()) sentence += fmt::format(" [{}]", roff(option.default_value));
  return fmt::format(".TP\n{}\n{}\n", head, sentence);
}

// Lines stay lines.
std::string verbatim(std::string_view text) {
  return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

std::string entry_of(const VerbReference& verb) {
  std::string page = fmt::format("{}.\n.PP\n\\fB{}\\fR\n", roff(verb.sentence), roff(verb.usage));
  for (const OptionReference& option : verb.options)
    if (!option.group.empty()) page += option_entry(option);
  if (!verb.notes.empty()) page += verbatim(verb.notes);
  if (!verb.examples.empty())
    page += ".PP\nExamples:\n" + verbatim(fmt::format("{}", fmt::join(verb.examples, "\n")));
  return page;
}

}  // namespace

std::string man_page(const std::vector<VerbReference>& verbs) {
  const VerbReference& program = verbs.front();
  std::string page = fmt::format(
      ".TH ORRERY 1 \"\" \"Orrery {}\" \"User Commands\"\n.SH NAME\norrery \\- temporal knowledge "
      "graph completion\n.SH SYNOPSIS\n\\fB{}\\fR\n.SH DESCRIPTION\n{}",
      version(), roff(program.usage), entry_of(program));
  page += ".SH VERBS\n";
  for (const VerbReference& verb : std::span(verbs).subspan(1))
    page += fmt::format(".SS orrery {}\n{}", roff(verb.path()), entry_of(verb));
  page +=
      ".SH ENVIRONMENT\n.TP\n\\fBORRERY_DATA\\fR\nwhere benchmark sets that are opened by their "
      "names are kept; else orrery in the user's cache folder\n";
  return page;
}

}  // namespace orrery
