// orrery explain
#include "orrery/explain.h"

#include <memory>

#include "help_format.h"
#include "option_adder.h"
#include "orrery/report.h"
#include "output.h"
#include "terminal.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr const char* explaining_device = "cpu";

struct ExplainCall {
  OptionChanges typed;
  std::string run, data;
  Question fact;
  ExplainOptions options;
  bool json = false, verify = true;
};

void run_explain(const ExplainCall& call) {
  const Model model =
      Model::open(call.run, machine_options(call.typed, explaining_device), call.verify);
  const Dataset facts = call.data.empty() ? model.training_data() : model.read_data(call.data);
  const Explanation explanation = explain(model, facts, call.fact, call.options);
  if (call.json) {
    to_stdout("{}\n", explanation_json(explanation));
    return;
  }
  const TerminalForm form = stdout_form();
  to_stdout("{}", explanation_text(explanation, {.columns = form.columns,
                                                 .blocks = form.draws_blocks,
                                                 .wraps = form.is_terminal}));
}

}  // namespace

void add_explain(CLI::App& app) {
  auto* verb = app.add_subcommand(
      "explain", "Say why a fact has its score: its ranks, its times, and the facts it rests on");
  const auto call = std::make_shared<ExplainCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")
      ->type_name("PATH")
      ->required();
  verb->add_option("--subject", call->fact.subject, "subject of the fact")
      ->type_name("NAME")
      ->required();
  verb->add_option("--relation", call->fact.relation, "relation of the fact")
      ->type_name("NAME")
      ->required();
  verb->add_option("--object", call->fact.object, "object of the fact")
      ->type_name("NAME")
      ->required();
  verb->add_option("--time", call->fact.time, "a date; the model uses its nearest time")
      ->type_name("DATE");
  verb->add_option("--data", call->data, "the facts, where they are not where the run says")
      ->type_name("PATH");
  verb->add_option("--top", call->options.top, "training facts shown, for and against")
      ->capture_default_str()
      ->check(whole_number());
  verb->add_flag("--any-link", call->options.any_link,
                 "training facts too that share one entity with it, and nothing else");
  verb->add_flag("--untrained", call->options.untrained,
                 "take names that no training fact has, too: their embeddings are noise");
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  add_machine_options(*verb, call->typed, explaining_device);
  end_help(*verb, "The fact need not be true. Influences are first-order estimates.",
           {"orrery explain runs/a --subject Taresse --relation threatens --object Quororia "
            "--time 2022-01-03"});
  verb->callback([call] { run_explain(*call); });
}

}  // namespace orrery
