// orrery help
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "help_format.h"
#include "output.h"
#include "reference_pages.h"
#include "refuse.h"
#include "verbs.h"
#include "wrong_words.h"

namespace orrery {
namespace {

struct HelpCall {
  std::vector<std::string> words;
  bool man = false, markdown = false;
};

void print_help(CLI::App& program, const std::vector<std::string>& words) {
  CLI::App* verb = &program;
  std::string name = program.get_name();
  for (const std::string& word : words) {
    const auto verbs = verbs_of(*verb);
    if (std::ranges::find(verbs, word) == verbs.end()) {
      if (verbs.empty()) refuse("{} has no verbs of its own, and no '{}'", name, word);
      refuse("{}", no_such_word("verb", word, verbs));
    }
    verb = verb->get_subcommand(word);
    name += " " + word;
  }
  to_stdout("{}", program.get_formatter()->make_help(verb, name, CLI::AppFormatMode::Normal));
}

void run_help(CLI::App& program, const HelpCall& call) {
  if (call.man)
    to_stdout("{}", man_page(reference_of(program)));
  else if (call.markdown)
    to_stdout("{}", markdown_reference(reference_of(program)));
  else
    print_help(program, call.words);
}

}  // namespace

void add_help(CLI::App& app) {
  auto* verb = app.add_subcommand("help", "Help on the program or on a verb");
  const auto call = std::make_shared<HelpCall>();
  auto* words =
      verb->add_option("verb", call->words, "such as train, or data check")->type_name("VERB");
  auto* man = verb->add_flag("--man", call->man, "all verbs and options as a man page");
  verb->add_flag("--markdown", call->markdown, "the same as Markdown")
      ->excludes(man)
      ->excludes(words);
  man->excludes(words);
  end_help(*verb, "",
           {"orrery help train", "orrery help data check", "orrery help --man | man -l -"});
  verb->callback([&app, call] { run_help(app, *call); });
}

}  // namespace orrery
