#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion_scripts.h"

namespace orrery {
namespace {

std::string paths_of(const std::vector<VerbReference>& verbs) {
  std::string paths;
  for (const VerbReference& verb : verbs)
    if (!verb.words.empty())
      paths += fmt::format("{}'{}'", paths.empty() ? "" : " | ", verb.path());
  return paths;
}

// What an option with a value is followed by: its values, else a file.
std::string values_case(const VerbReference& verb) {
  std::string cases, files;
  for (const OptionReference& option : verb.options) {
    if (option.positional() || !option.takes_value()) continue;
    const std::string flags = fmt::format("{}", fmt::join(option.flags, " | "));
    if (option.values.empty())
      files += fmt::format("{}{}", files.empty() ? "" : " | ", flags);
    else
      cases += fmt::format("        {}) words='{}' ;;\n", flags, fmt::join(option.values, " "));
  }
  if (!files.empty()) cases += fmt::format("        {}) return ;;\n", files);
  return cases;
}

std::string case_of(const VerbReference& verb) {
  std::vector<std::string> flags, others = verb.verbs;
  for (const OptionReference& option : verb.options) {
    flags.insert(flags.end(), option.flags.begin(), option.flags.end());
    if (option.positional())
      others.insert(others.end(), option.values.begin(), option.values.end());
  }
  return fmt::format(
      "    '{}')\n      case $previous in\n{}        *) options='{}' words='{}' ;;\n      esac\n"
      "      ;;\n",
      verb.path(), values_case(verb), fmt::join(flags, " "), fmt::join(others, " "));
}

}  // namespace

// Where nothing of ours fits, bash offers files (-o default).
std::string bash_completion(const std::vector<VerbReference>& verbs) {
  std::string script = fmt::format(
      R"(# bash completion of orrery, made by `orrery completion bash`
_orrery() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local verb='' options='' words='' i
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${{verb:+$verb }}${{COMP_WORDS[i]}}" in
      {}) verb="${{verb:+$verb }}${{COMP_WORDS[i]}}" ;;
    esac
  done
  COMPREPLY=()
  case $verb in
)",
      paths_of(verbs));
  for (const VerbReference& verb : verbs) script += case_of(verb);
  return script + R"(  esac
  [[ $current == -* ]] && words=$options
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _orrery orrery
)";
}

}  // namespace orrery
