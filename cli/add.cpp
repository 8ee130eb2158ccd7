// orrery add
#include "orrery/add.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/error.h"
#include "output.h"
#include "page/text_table.h"
#include "stop_signals.h"
#include "train_display.h"
#include "verbs.h"
#include "words.h"

namespace orrery {
namespace {

struct AddCall {
  OptionChanges reading, machine;
  std::string run, facts, out;
  AddOptions options;
  bool replace = false, json = false, verify = true;
};

// Beside the model that it grows out of, where the run's config.toml is found, too.
std::filesystem::path grown_beside(const std::filesystem::path& run) {
  return (std::filesystem::is_directory(run) ? run : run.parent_path()) / "grown.safetensors";
}

// Some facts of before are trained beside the new ones; without them it works less well.
std::optional<Dataset> known_facts_of(const Model& model) {
  try {
    return model.training_data();
  } catch (const Error& error) {
    to_stderr("without the facts it was trained on: {}\n", error.text(OptionStyle::flag));
    return {};
  }
}

void print_grown(const Model& grown, const std::filesystem::path& file, bool json) {
  const Addition& added = grown.card().additions.back();
  const TrainSummary& summary = grown.training().summary;
  if (json) {
    print_json(nlohmann::ordered_json{{"model", file.string()},
                                      {"facts", added.facts},
                                      {"entities", added.entities},
                                      {"relations", added.relations},
                                      {"times", added.times},
                                      {"touched", added.touched},
                                      {"epochs", summary.epochs_done},
                                      {"loss", summary.loss},
                                      {"seconds", summary.seconds}});
    return;
  }
  to_stdout("{} added in {}: {}, {} and {} are new\n",
            counted(static_cast<std::uint64_t>(added.facts), "fact"),
            format_duration(summary.seconds), counted(added.entities, "entity"),
            counted(added.relations, "relation"), counted(added.times, "time"));
  to_stdout("saved {}; next: orrery predict {} --subject NAME --relation NAME --time DATE\n",
            file.string(), shell_quoted(file.string()));
}

void run_add(AddCall call) {
  const std::filesystem::path file =
      call.out.empty() ? grown_beside(call.run) : std::filesystem::path(call.out);
  require_place_for_model(file, call.replace);
  const Model model = Model::open(call.run, {}, call.verify);
  const MachineOptions machine = machine_options(call.machine, "cpu");
  call.options.threads = machine.threads;
  call.options.memory = machine.memory;
  const Dataset facts = read_new_facts(model, call.facts, call.reading);
  if (call.options.rehearse > 0) call.options.known = known_facts_of(model);
  const Model grown = [&] {
    TrainDisplay display;  // ends its line before the summary is printed
    return add_into(file, call.replace, model, facts, call.options, &display);
  }();
  if (grown.training().summary.ending == TrainSummary::Ending::interrupted) {
    to_stderr("stopped; nothing was saved, and the model is as it was\n");
    throw EndWith{stopped()};
  }
  print_grown(grown, file, call.json);
}

}  // namespace

void add_add(CLI::App& app) {
  auto* verb = app.add_subcommand(
      "add", "Add facts, names and times to a trained model, without training it anew");
  const auto call = std::make_shared<AddCall>();
  const AddOptions defaults;
  verb->add_option("run", call->run, "run directory, or a model.safetensors")
      ->type_name("PATH")
      ->required();
  verb->add_option("--facts", call->facts, "the new facts: a file, a directory, - for stdin")
      ->type_name("PATH")
      ->required();
  verb->add_option("--out", call->out,
                   "file of the grown model; by default grown.safetensors beside the model")
      ->type_name("FILE");
  verb->add_flag("--replace", call->replace, "replace a model that --out names");
  verb->add_flag("--touched", call->options.touched,
                 "also train the embeddings of known names that the new facts have; without it "
                 "scores of old questions stay the same");
  verb->add_option("--rehearse", call->options.rehearse,
                   "facts that the model was trained on, for each new one and epoch (at least "
                   "1,000): they keep new names out of old answers; 0: new facts alone")
      ->capture_default_str()
      ->check(whole_number());
  verb->add_option("--epochs", call->options.epochs, "passes over the new facts")
      ->capture_default_str()
      ->check(whole_number());
  verb->add_option("--batch", call->options.batch, "examples a step; 0: about ten steps an epoch")
      ->capture_default_str()
      ->check(whole_number());
  verb->add_option("--lr", call->options.lr, "learning rate of the optimizer; 0: the model's")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0).description(""));
  verb->add_option("--seed", call->options.seed, "random seed; additions are reproducible")
      ->capture_default_str()
      ->check(whole_number());
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  add_options(
      *verb, call->reading,
      {.names = {"format", "columns", "dates", "coarse-dates", "undated", "as-of", "skip-bad"},
       .defaults_shown = false});
  add_options(*verb, call->machine, {.names = {"threads", "memory"}});
  end_help(*verb,
           "The old model stays as it is, and an existing file is never half replaced. Facts are "
           "read as the model's own were. It runs on the CPU; Ctrl-C leaves everything as it was.",
           {"orrery add runs/a --facts today.csv",
            "orrery add runs/a/grown.safetensors --facts today.csv --out runs/a/grown.safetensors "
            "--replace"});
  verb->callback([call] { run_add(*call); });
}

}  // namespace orrery
