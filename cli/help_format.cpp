#include "help_format.h"

#include <fmt/format.h>

#include <sstream>

#include "page/text_table.h"

namespace orrery {
namespace {

constexpr std::size_t sentence_column = 30, last_column = 100;
constexpr std::string_view examples_head = "Examples:\n";

// Never before a word like an option: a line that begins with one describes it.
std::string wrapped(const std::string& sentence, const std::string& indent) {
  std::istringstream stream(sentence);
  std::string text, line;
  for (std::string word; stream >> word;) {
    const bool fits = characters_of(indent + line) + 1 + characters_of(word) <= last_column;
    if (!line.empty() && !fits && !word.starts_with('-')) {
      text += line + "\n" + indent;
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + line;
}

}  // namespace

std::string HelpFormat::make_help(const CLI::App* app, std::string name,
                                  CLI::AppFormatMode mode) const {
  return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode),
                                       "\n\n\n", "\n\n");
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string head =
      "  " + make_option_name(option, is_positional) + make_option_opts(option);
  const std::string indent(sentence_column, ' ');
  const std::size_t width = characters_of(head);
  const std::string gap =
      width < sentence_column ? std::string(sentence_column - width, ' ') : "\n" + indent;
  return head + gap + wrapped(make_option_desc(option), indent) + "\n";
}

void end_help(CLI::App& verb, const std::string& notes, const std::vector<std::string>& examples) {
  std::string text = notes.empty() ? "" : notes + "\n\n";
  text += examples_head;
  for (const std::string& example : examples) text += fmt::format("  {}\n", example);
  text.pop_back();
  verb.footer(text);
}

HelpEnd help_end(const CLI::App& verb) {
  const std::string footer = verb.get_footer();
  const auto head = footer.find(examples_head);
  HelpEnd end{footer.substr(0, head), {}};
  while (end.notes.ends_with('\n')) end.notes.pop_back();
  if (head == std::string::npos) return end;
  std::istringstream stream(footer.substr(head + examples_head.size()));
  for (std::string line; std::getline(stream, line);)
    end.examples.push_back(line.substr(line.find_first_not_of(' ')));
  return end;
}

}  // namespace orrery
