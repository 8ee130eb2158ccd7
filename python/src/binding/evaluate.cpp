#include <nanobind/ndarray.h>

#include "observers.h"

namespace orrery::python {
namespace {

using Ranks = nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<2>, nb::c_contig>;

Evaluation evaluated(const Model& model, const Dataset& data, const std::string& split,
                     bool history, const nb::object& progress) {
  Interrupts interrupts;
  struct Stopped {};
  EvaluateOptions options{.split = split_named(split), .history = history};
  options.progress = [&](std::size_t done, std::size_t total) {
    const bool stop =
        interrupts.pending() ||
        (!progress.is_none() && interrupts.ask([&] { return progress(done, total); }));
    if (stop) throw Stopped{};
  };
  try {
    return without_gil([&] { return evaluate(model, data, options); });
  } catch (const Stopped&) {
    interrupts.rethrow();
    throw nb::value_error("the evaluation was stopped");
  }
}

// Counts of candidates scored higher and equal: of the object and of the subject of each fact.
Ranks ranks_of(const Evaluation& evaluation) {
  static_assert(sizeof(RankCounts) == 2 * sizeof(std::int32_t));
  auto held = std::make_unique<std::vector<RankCounts>>(evaluation.ranks);
  const auto* first = reinterpret_cast<const std::int32_t*>(held->data());
  const std::size_t ranks = held->size();
  return Ranks(first, {ranks, 2}, owner_of(std::move(held)));
}

class Auditor final : public Listening<AuditObserver> {
 public:
  using Listening::Listening;
  void on_fold(std::int64_t fold, std::int64_t folds) override {
    tell("fold", [&] {
      nb::dict report;
      report["fold"] = fold;
      report["folds"] = folds;
      return report;
    });
  }
};

std::string audited(const Model& model, const Dataset& data, std::int64_t folds, std::uint64_t seed,
                    std::size_t others, double corrupt, const nb::object& listener) {
  Auditor auditor(listener);
  const std::string json = without_gil([&] {
    AuditOptions options;
    options.folds = folds;
    options.seed = seed;
    options.others = others;
    options.corrupt = corrupt;
    return audit_json(audit(model, data, options, &auditor));
  });
  auditor.interrupts().rethrow();
  return json;
}

std::string audited_facts(const Model& model, const Dataset& facts, const Dataset* trained,
                          std::size_t others) {
  AuditOptions options;
  options.others = others;
  const nb::gil_scoped_release no_gil;
  return audit_json(
      audit_facts(model, facts, trained == nullptr ? std::optional<Dataset>() : *trained, options));
}

std::string explained(const Model& model, const Dataset& facts, const std::string& subject,
                      const std::string& relation, const std::string& object,
                      const std::string& time, std::size_t top, std::size_t neighbours,
                      bool any_link, bool untrained) {
  ExplainOptions options;
  options.top = top;
  options.neighbours = neighbours;
  options.any_link = any_link;
  options.untrained = untrained;
  return explanation_json(
      explain(model, facts, Question{subject, relation, object, time, {}}, options));
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  const auto no_gil = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<Evaluation>(module, "Evaluation")
      .def("json", [](const Evaluation& evaluation) { return evaluation_json(evaluation); })
      .def("table", [](const Evaluation& evaluation) { return evaluation_table(evaluation); })
      .def(
          "by",
          [](const Evaluation& evaluation, const std::string& part) {
            const By by = by_named(part);
            return breakdown_json(evaluation.by(by), by);
          },
          nb::arg("part"), no_gil)
      .def("ranks", &ranks_of)
      .def_prop_ro("warnings",
                   [](const Evaluation& evaluation) { return list_of(evaluation.warnings); });
  module.def("evaluate", &evaluated, nb::arg("model"), nb::arg("data"), nb::arg("split"),
             nb::arg("history"), nb::arg("progress").none());
  module.def(
      "calibration_json",
      [](const Model& model, const Dataset& data, const std::string& split) {
        return calibration_json(measure_calibration(model, data, split_named(split)));
      },
      nb::arg("model"), nb::arg("data"), nb::arg("split"), no_gil);
  module.def(
      "when_json",
      [](const Model& model, const Dataset& data, const std::string& split, std::size_t most) {
        return when_json(measure_when(model, data, split_named(split), most));
      },
      nb::arg("model"), nb::arg("data"), nb::arg("split"), nb::arg("most"), no_gil);
  module.def("audit", &audited, nb::arg("model"), nb::arg("data"), nb::arg("folds"),
             nb::arg("seed"), nb::arg("others"), nb::arg("corrupt"), nb::arg("listener").none());
  module.def("audit_facts", &audited_facts, nb::arg("model"), nb::arg("facts"),
             nb::arg("trained").none(), nb::arg("others"));
  module.def("explain", &explained, nb::arg("model"), nb::arg("facts"), nb::arg("subject"),
             nb::arg("relation"), nb::arg("object"), nb::arg("time"), nb::arg("top"),
             nb::arg("neighbours"), nb::arg("any_link"), nb::arg("untrained"), no_gil);
}

}  // namespace orrery::python
