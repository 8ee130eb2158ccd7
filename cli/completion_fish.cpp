#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "completion_scripts.h"

namespace orrery {
namespace {

std::string fish_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string line_of(const VerbReference& verb, const std::string& rest) {
  const std::string here = fish_text("__orrery_at " + fish_text(verb.path()));
  return fmt::format("complete -c orrery -n {} {}\n", here, rest);
}

std::string option_line(const VerbReference& verb, const OptionReference& option) {
  std::string rest;
  for (const std::string& flag : option.flags)
    rest += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
  if (!option.values.empty())
    rest += fmt::format(" -x -a {}", fish_text(fmt::format("{}", fmt::join(option.values, " "))));
  else if (option.takes_value())
    rest += option.takes_path() ? " -r -F" : " -x";
  return line_of(verb, fmt::format("{} -d {}", rest.substr(1), fish_text(option.sentence)));
}

std::string lines_of(const VerbReference& verb, const std::vector<VerbReference>& verbs) {
  std::string lines;
  for (const VerbReference& part : verbs) {
    if (part.words.size() != verb.words.size() + 1) continue;
    if (!std::equal(verb.words.begin(), verb.words.end(), part.words.begin())) continue;
    lines +=
        line_of(verb, fmt::format("-f -a {} -d {}", part.words.back(), fish_text(part.sentence)));
  }
  for (const OptionReference& option : verb.options) {
    if (!option.positional())
      lines += option_line(verb, option);
    else if (!option.values.empty())
      lines +=
          line_of(verb, "-f -a " + fish_text(fmt::format("{}", fmt::join(option.values, " "))));
  }
  return lines;
}

}  // namespace

std::string fish_completion(const std::vector<VerbReference>& verbs) {
  std::string paths;
  for (const VerbReference& verb : verbs)
    if (!verb.words.empty()) paths += " " + fish_text(verb.path());
  std::string script = fmt::format(
      R"(# fish completion of orrery, made by `orrery completion fish`
function __orrery_at
  set -l verb
  for word in (commandline -opc)[2..-1]
    switch (string join ' ' $verb $word)
      case{}
        set -a verb $word
    end
  end
  set -l here (string join ' ' $verb)
  test "$here" = "$argv[1]"
end
)",
      paths);
  for (const VerbReference& verb : verbs) script += lines_of(verb, verbs);
  return script;
}

}  // namespace orrery
