#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>

#include "observers.h"

namespace orrery::python {
namespace {

class Comparer final : public Listening<CompareObserver> {
 public:
  using Listening::Listening;
  void on_run(const RunAhead& run) override {
    tell("run", [&] { return report_of(run); });
  }
  void on_failure(const RunAhead& run, const std::string& reason) override {
    tell("failure", [&] {
      nb::dict report = report_of(run);
      report["reason"] = reason;
      return report;
    });
  }

 private:
  static nb::dict report_of(const RunAhead& run) {
    nb::dict report;
    report["model"] = run.model;
    report["seed"] = run.seed;
    report["number"] = run.number;
    report["of"] = run.of;
    return report;
  }
};

std::string compared(const Dataset& data, const std::vector<std::string>& models,
                     const nb::dict& given, const std::string& budget, std::int64_t seeds,
                     bool keep_models, const std::filesystem::path& out,
                     const nb::object& listener) {
  TrainOptions base = comparison_defaults();
  set_options(base, changes_of(given));
  CompareOptions options;
  for (const std::string& words : models) options.models.push_back(compared_model(words, base));
  options.data = data;
  options.budget = budget.empty() ? 0 : parse_parameters(budget);
  options.seeds = seeds;
  options.keep_models = keep_models;
  Comparer comparer(listener);
  std::string json = without_gil([&] { return comparison_json(compare(options, out, &comparer)); });
  comparer.interrupts().rethrow();
  return json;
}

class Sweeper final : public Listening<SweepObserver> {
 public:
  using Listening::Listening;
  void on_trial(const TrialAhead& trial) override {
    tell("trial", [&] {
      nb::dict report;
      report["trial"] = trial.trial;
      report["of"] = trial.of;
      report["values"] = words_of(trial.values);
      report["results_done"] = trial.results_done;
      report["results"] = trial.results;
      report["best_mrr"] = trial.best_mrr ? nb::object(nb::float_(*trial.best_mrr)) : nb::none();
      return report;
    });
  }
};

// (name, values) or (name, (from, to, logarithmic))
SearchedOption searched_option(const std::string& name, const nb::handle& values) {
  SearchedOption option;
  option.name = option_named(name).name;
  if (nb::isinstance<nb::tuple>(values)) {
    const auto range = nb::cast<nb::tuple>(values);
    option.range = SearchedRange{nb::cast<double>(range[0]), nb::cast<double>(range[1]),
                                 nb::cast<bool>(range[2])};
    return option;
  }
  for (const nb::handle& value : values) {
    nb::dict one;
    one[name.c_str()] = value;
    option.values.push_back(changes_of(one).at(0).second);
  }
  return option;
}

std::string swept(const Dataset& data, const nb::dict& searched, const nb::dict& given,
                  const std::string& search, std::optional<std::int64_t> trials, std::int64_t seeds,
                  const std::filesystem::path& out, const nb::object& listener) {
  SweepOptions options;
  set_options(options.fixed, changes_of(given));
  for (const auto& [name, values] : searched)
    options.searched.push_back(searched_option(nb::cast<std::string>(name), values));
  options.data = data;
  options.search = search_named(search);
  options.trials = trials;
  options.seeds = seeds;
  Sweeper sweeper(listener);
  std::string json = without_gil([&] { return sweep_json(sweep(options, out, &sweeper)); });
  sweeper.interrupts().rethrow();
  return json;
}

}  // namespace

void bind_search(nb::module_& module) {
  module.def("compare", &compared, nb::arg("data"), nb::arg("models"), nb::arg("given"),
             nb::arg("budget"), nb::arg("seeds"), nb::arg("keep_models"), nb::arg("out"),
             nb::arg("listener").none());
  module.def("sweep", &swept, nb::arg("data"), nb::arg("searched"), nb::arg("given"),
             nb::arg("search"), nb::arg("trials").none(), nb::arg("seeds"), nb::arg("out"),
             nb::arg("listener").none());
}

}  // namespace orrery::python
