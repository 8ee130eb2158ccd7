// orrery completion
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "completion_scripts.h"
#include "help_format.h"
#include "output.h"
#include "refuse.h"
#include "verbs.h"

namespace orrery {
namespace {

std::string completion_for(const std::string& shell, const std::vector<VerbReference>& verbs) {
  if (shell == "bash") return bash_completion(verbs);
  if (shell == "zsh") return zsh_completion(verbs);
  if (shell == "fish") return fish_completion(verbs);
  refuse("there is no completion for '{}'; there are bash, zsh and fish", shell);
}

}  // namespace

void add_completion(CLI::App& app) {
  auto* verb = app.add_subcommand("completion", "Print the completion script of a shell");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("shell", *shell, "the shell")->type_name("bash|zsh|fish")->required();
  end_help(*verb, "Packages install these files. Without a package, add a line to ~/.bashrc.",
           {"source <(orrery completion bash)",
            "orrery completion fish > ~/.config/fish/completions/orrery.fish"});
  verb->callback([&app, shell] { to_stdout("{}", completion_for(*shell, reference_of(app))); });
}

}  // namespace orrery
