#include <nanobind/stl/filesystem.h>

#include "observers.h"

namespace orrery::python {
namespace {

using Trainer = Listening<TrainObserver>;

// The result, and what Python raised while the work went on: raised by the caller, who still gets
// what was trained so far.
nb::tuple outcome(nb::object result, Interrupts& interrupts) {
  nb::object raised = nb::none();
  try {
    interrupts.rethrow();
  } catch (nb::python_error& error) {
    raised = nb::borrow(error.value());
  }
  return nb::make_tuple(std::move(result), raised);
}

// What the command line does: options that nobody named fit the data.
TrainOptions options_for(const Dataset& data, OptionChanges changes) {
  for (const auto& [name, value] : changes)
    if (name == "from" && !value.empty()) {
      changes = options_to_start_from(Model::open(value), changes);
      break;
    }
  return fitting_options(data, changes).options;
}

nb::tuple train_in_memory(const Dataset& data, const nb::dict& given, const nb::object& listener) {
  const OptionChanges changes = changes_of(given);
  Trainer trainer(listener);
  Model model = without_gil([&] { return train(data, options_for(data, changes), &trainer); });
  return outcome(nb::cast(std::move(model)), trainer.interrupts());
}

Run opened_run(const std::filesystem::path& directory, const Dataset& data,
               const OptionChanges& changes, bool resume) {
  if (resume) return Run::resume(directory, data, changes);
  return Run::begin(directory, data, options_for(data, changes));
}

// The model is None where the run was stopped: it is resumed by the same call.
nb::tuple train_in_run(const std::filesystem::path& directory, const Dataset& data,
                       const nb::dict& given, bool resume, const nb::object& listener) {
  const OptionChanges changes = changes_of(given);
  Trainer trainer(listener);
  const std::optional<Model> model = without_gil([&]() -> std::optional<Model> {
    Run run = opened_run(directory, data, changes, resume);
    const TrainSummary summary = run.train(&trainer);
    if (!holds_model(directory)) return {};
    return Model::open(directory);
  });
  return outcome(nb::cast(model), trainer.interrupts());
}

nb::tuple add_facts(const Model& model, const Dataset& facts, const Dataset* known,
                    const nb::dict& given, const nb::object& listener) {
  AddOptions options;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (name == "touched") options.touched = nb::cast<bool>(value);
    if (name == "epochs") options.epochs = nb::cast<std::int64_t>(value);
    if (name == "batch") options.batch = nb::cast<std::int64_t>(value);
    if (name == "lr") options.lr = nb::cast<double>(value);
    if (name == "seed") options.seed = nb::cast<std::uint64_t>(value);
    if (name == "rehearse") options.rehearse = nb::cast<std::int64_t>(value);
    if (name == "threads") options.threads = nb::cast<std::int64_t>(value);
    if (name == "memory") options.memory = nb::cast<std::string>(value);
  }
  if (known != nullptr) options.known = *known;
  Trainer trainer(listener);
  Model grown = without_gil([&] { return add(model, facts, options, &trainer); });
  return outcome(nb::cast(std::move(grown)), trainer.interrupts());
}

class Tuner final : public TuneObserver {
 public:
  explicit Tuner(nb::object listener) : listener_(std::move(listener)) {}

  void on_trial(const TuneTrial& trial) override {
    if (listener_.is_none()) return;
    stop_ = interrupts_.ask([&] {
      nb::dict changes, report;
      for (const auto& [name, value] : trial.changes) changes[name.c_str()] = value;
      report["changes"] = changes;
      report["valid"] = trial.valid ? nb::object(dict_of(*trial.valid)) : nb::none();
      report["seconds"] = trial.seconds;
      report["best"] = trial.best;
      return listener_("trial", report);
    }) || stop_;
  }
  bool stop_requested() override { return stop_ || interrupts_.pending(); }
  Interrupts& interrupts() { return interrupts_; }

 private:
  nb::object listener_;
  Interrupts interrupts_;
  bool stop_ = false;
};

nb::tuple tuned(const Dataset& data, const nb::dict& given, const std::string& duration,
                const nb::object& listener) {
  const OptionChanges changes = changes_of(given);
  Tuner tuner(listener);
  const Tuning tuning =
      without_gil([&] { return tune(data, changes, seconds_of(duration), &tuner); });
  return outcome(dict_of(tuning.options), tuner.interrupts());
}

}  // namespace

void bind_train(nb::module_& module) {
  module.def("train", &train_in_memory, nb::arg("data"), nb::arg("given"),
             nb::arg("listener").none());
  module.def("train_in_run", &train_in_run, nb::arg("directory"), nb::arg("data"), nb::arg("given"),
             nb::arg("resume"), nb::arg("listener").none());
  module.def("add", &add_facts, nb::arg("model"), nb::arg("facts"), nb::arg("known").none(),
             nb::arg("options"), nb::arg("listener").none());
  module.def(
      "read_new_facts",
      [](const Model& model, const std::string& source) { return read_new_facts(model, source); },
      nb::arg("model"), nb::arg("source"), nb::call_guard<nb::gil_scoped_release>());
  module.def("tune", &tuned, nb::arg("data"), nb::arg("given"), nb::arg("duration"),
             nb::arg("listener").none());
  module.def(
      "run_begun",
      [](const std::filesystem::path& directory) {
        return std::filesystem::exists(directory / "config.toml");
      },
      nb::arg("directory"));
}

}  // namespace orrery::python
