// orrery audit
#include "orrery/audit.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "help_format.h"
#include "option_adder.h"
#include "orrery/error.h"
#include "orrery/report.h"
#include "output.h"
#include "refuse.h"
#include "train_display.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr const char* audit_device = "auto";

struct AuditCall {
  OptionChanges typed;
  std::string run, facts, data, out;
  AuditOptions options;
  std::size_t top = 20;
  bool json = false, verify = true;
};

// A line for each fold, and a bar while its model is trained.
class AuditDisplay : public AuditObserver {
 public:
  void on_fold(std::int64_t fold, std::int64_t folds) override {
    run_.line().say("fold {} of {}\n", fold, folds);
  }
  void on_step(const StepReport& step) override { run_.on_step(step); }
  void on_warning(const std::string& warning) override { run_.on_warning(warning); }
  bool stop_requested() override { return run_.stop_requested(); }

 private:
  TrainDisplay run_;
};

// Before hours of work.
void check_out(const std::string& file) {
  std::error_code unknown;
  if (!file.empty() && std::filesystem::exists(file, unknown))
    refuse("{} exists; name another file with --out", file);
}

void write_list(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) refuse("{} cannot be written ({})", file, std::strerror(errno));
}

// What the model was trained on, if it can be found.
std::optional<Dataset> own_facts(const Model& model, const AuditCall& call) {
  if (!call.data.empty()) return model.read_data(call.data);
  try {
    return model.training_data();
  } catch (const Error&) {
    return {};
  }
}

Audit audited(const AuditCall& call) {
  const Model model = Model::open(call.run, machine_options(call.typed, audit_device), call.verify);
  if (!call.facts.empty())
    return audit_facts(model, model.read_data(call.facts), own_facts(model, call), call.options);
  const Dataset data = call.data.empty() ? model.training_data() : model.read_data(call.data);
  AuditDisplay display;  // ends its line before the list is printed
  return audit(model, data, call.options, &display);
}

void run_audit(const AuditCall& call) {
  check_out(call.out);
  const Audit found = audited(call);
  if (!call.out.empty()) write_list(call.out, audit_csv(found));
  if (call.json)
    to_stdout("{}\n", audit_json(found, call.top));
  else
    write_to_stdout(audit_text(found, call.top));
  if (found.interrupted) throw EndWith{stopped()};
}

}  // namespace

void add_audit(CLI::App& app) {
  auto* verb = app.add_subcommand("audit", "List facts that the model finds implausible");
  const auto call = std::make_shared<AuditCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")
      ->type_name("PATH")
      ->required();
  auto* facts = verb->add_option("--facts", call->facts,
                                 "judge the facts of this file, by the model as it is; else its "
                                 "training facts, by models trained without them")
                    ->type_name("PATH");
  verb->add_option("--data", call->data, "where the run's data set is, if not where it was")
      ->type_name("PATH");
  verb->add_option("--folds", call->options.folds, "models to train, each without one part")
      ->capture_default_str()
      ->check(whole_number())
      ->excludes(facts);
  verb->add_option("--fold-seed", call->options.seed, "by which facts are cut into folds")
      ->capture_default_str()
      ->check(whole_number())
      ->excludes(facts);
  verb->add_option("--corrupt", call->options.corrupt,
                   "a drill: first replace one side of this share of facts by a drawn entity, and "
                   "say how many of them are found")
      ->type_name("SHARE")
      ->excludes(facts);
  verb->add_option("--top", call->top, "facts to show; 0: all")
      ->capture_default_str()
      ->check(whole_number());
  verb->add_option("--out", call->out, "also write all of them to this CSV file")
      ->type_name("FILE");
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  add_machine_options(*verb, call->typed, audit_device);
  end_help(*verb,
           "Without --facts it takes as long as training the run anew for each fold. Ctrl-C shows "
           "what was judged so far.",
           {"orrery audit runs/a --folds 3 --out doubts.csv",
            "orrery audit runs/a --folds 3 --corrupt 0.1",
            "orrery audit runs/a --facts new.csv --top 50"});
  verb->callback([call] { run_audit(*call); });
}

}  // namespace orrery
