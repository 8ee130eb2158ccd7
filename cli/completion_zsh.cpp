#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion_scripts.h"

namespace orrery {
namespace {

// Inside '…' of the shell, and inside […] of an argument's description.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'')
      escaped += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      escaped += fmt::format("\\{}", c);
    else
      escaped += c;
  }
  return escaped;
}

std::string action_of(const OptionReference& option) {
  if (!option.values.empty()) return fmt::format("({})", fmt::join(option.values, " "));
  return option.takes_path() ? "_files" : "";
}

std::string argument_of(const OptionReference& option) {
  std::string lines;
  if (option.positional())
    return fmt::format("        '*:{}:{}' \\\n", zsh_text(option.name), action_of(option));
  for (const std::string& flag : option.flags) {
    const char* const equals = option.takes_value() ? "=" : "";  // --dim=8 or --dim 8
    lines += fmt::format("        '{}{}[{}]", flag, equals, zsh_text(option.sentence));
    if (option.takes_value())
      lines += fmt::format(":{}:{}", zsh_text(option.flags.back().substr(2)), action_of(option));
    lines += "' \\\n";
  }
  return lines;
}

std::string zsh_case(const VerbReference& verb) {
  std::string lines = fmt::format("    '{}')\n      _arguments : \\\n", verb.path());
  bool positional = false;
  for (const OptionReference& option : verb.options) {
    if (option.positional() && positional) continue;  // '*:' takes all that follow
    positional = positional || option.positional();
    lines += argument_of(option);
  }
  if (!verb.verbs.empty())
    lines += fmt::format("        '*:verb:({})' \\\n", fmt::join(verb.verbs, " "));
  lines.resize(lines.size() - 3);  // the last " \" goes on with nothing
  return lines + "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<VerbReference>& verbs) {
  std::string paths;
  for (const VerbReference& verb : verbs)
    if (!verb.words.empty()) paths += fmt::format("{}'{}'", paths.empty() ? "" : "|", verb.path());
  std::string script = fmt::format(
      R"(#compdef orrery
# zsh completion of orrery, made by `orrery completion zsh`
_orrery() {{
  local verb='' word
  integer depth=0
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case "${{verb:+$verb }}$word" in
      ({}) verb="${{verb:+$verb }}$word"; (( ++depth )) ;;
    esac
  done
  words=(orrery "${{(@)words[depth+2,-1]}}")
  (( CURRENT -= depth ))
  case $verb in
)",
      paths);
  for (const VerbReference& verb : verbs) script += zsh_case(verb);
  return script + R"(  esac
}
_orrery "$@"
)";
}

}  // namespace orrery
