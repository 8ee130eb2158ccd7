// The studies of one trained model: its geometry, and how it treats the patterns of its data.
#include <fmt/format.h>

#include "base/error.h"
#include "orrery/evaluate.h"
#include "page/text_table.h"
#include "paper/geometry.h"
#include "paper/patterns.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

struct RunAndData {
  std::filesystem::path run;
  std::string data;  // empty: what the run names itself
};

// The data of a run of the study's own may have moved since; its fingerprint was compared.
RunAndData run_of(const StudyRuns& runs, const StudyContext& context) {
  if (!context.options.run.empty()) return {context.options.run, context.options.data};
  for (std::size_t i = 0; i < runs.comparisons.size(); ++i)
    for (const CompareRow& row : runs.comparisons[i].rows) {
      for (const ComparedRun& run : row.runs) return {run.run, runs.plan.sets[i].data.string()};
      for (const FailedRun& run : row.failed)
        fail_model(
            About{.place = {run.run.string()}, .advice = "remove its failed.txt to try again"},
            "{}", run.reason);
    }
  fail_broken("a study of one model has none");
}

struct ModelAndData {
  Model model;
  Dataset data;
};

ModelAndData model_and_data(const StudyRuns& runs, const StudyContext& context) {
  const auto [run, data] = run_of(runs, context);
  const TrainOptions machine = with_changes({}, context.options.changes);
  const Model model = Model::open(run, {machine.device, machine.threads, machine.memory});
  return {model, data.empty() ? model.training_data() : model.read_data(data)};
}

// How the study trained its model, or which run it was given.
Report with_opening(Report report, const StudyRuns& runs, const ReproduceOptions& options,
                    Figures figures) {
  Report opening;
  if (options.run.empty())
    opening = opened_report(report.title, runs, figures);
  else
    opening.blocks.emplace_back(Paragraph{fmt::format(
        "Measured with `orrery reproduce {}` of the trained run `{}`{}.", runs.plan.study,
        printable(options.run),
        options.data.empty() ? ""
                             : fmt::format(", on the facts in `{}`", printable(options.data)))});
  report.blocks.insert(report.blocks.begin(), opening.blocks.begin(), opening.blocks.end());
  return report;
}

}  // namespace

void check_relation_and_time(const StudyPlan& plan, const ReproduceOptions& options) {
  if (options.relation.empty() && options.time.empty()) return;
  const TrainOptions& trained = plan.sets.front().models.front().options;
  check_geometry(Dataset::open(trained.data, data_options(trained)),
                 {options.relation, options.time});
}

StudyOutcome geometry_study(const StudyRuns& runs, const StudyContext& context) {
  const auto [model, data] = model_and_data(runs, context);
  const Geometry geometry =
      measure_geometry(model, data, {context.options.relation, context.options.time});
  return {with_opening(geometry_report(geometry), runs, context.options, Figures::embeddings),
          geometry_json(geometry)};
}

StudyOutcome patterns_study(const StudyRuns& runs, const StudyContext& context) {
  const auto [model, data] = model_and_data(runs, context);
  const Patterns patterns = measure_patterns(model, data);
  return {with_opening(patterns_report(patterns), runs, context.options, Figures::scores),
          patterns_json(patterns)};
}

}  // namespace orrery
