// The studies of one trained model: its geometry, and how it treats the patterns of its data.
#include <fmt/format.h>

#include "base/error.h"
#include "data/load.h"
#include "learn/setup.h"
#include "orrery/evaluate.h"
#include "page/text_table.h"
#include "paper/geometry.h"
#include "paper/patterns.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

struct ModelAndData {
  std::filesystem::path model;
  std::string data;  // empty: what the run names itself
};

// The data of a run of the study's own may have moved since; its fingerprint was compared.
ModelAndData model_of(const StudyRuns& runs, const StudyContext& context) {
  if (!context.options.run.empty()) return {context.options.run, context.options.data};
  for (std::size_t i = 0; i < runs.comparisons.size(); ++i)
    for (const CompareRow& row : runs.comparisons[i].rows) {
      for (const ComparedRun& run : row.runs) return {run.run, runs.plan.sets[i].data.string()};
      for (const FailedRun& run : row.failed)
        fail_model("{}: {}; remove its failed.txt to try again", run.run.string(), run.reason);
    }
  fail_broken("a study of one model has none");
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
  const TrainOptions& trained = plan.sets.front().contenders.front().options;
  const TemporalGraph data = load_facts(trained.data, load_options_of(trained));
  check_geometry(data.relations, data.times, {options.relation, options.time});
}

StudyOutcome geometry_study(const StudyRuns& runs, const StudyContext& context) {
  const auto [model, data] = model_of(runs, context);
  const Geometry geometry =
      measure_geometry(model, {context.options.relation, context.options.time, data});
  return {with_opening(geometry_report(geometry), runs, context.options, Figures::rows),
          geometry_json(geometry)};
}

StudyOutcome patterns_study(const StudyRuns& runs, const StudyContext& context) {
  const auto [model, data] = model_of(runs, context);
  const TrainOptions changed = with_changes({}, context.options.changes);
  EvaluateOptions evaluation;
  evaluation.data = data;
  evaluation.device = changed.device;
  evaluation.threads = changed.threads;
  evaluation.memory = changed.memory;
  const Patterns patterns = measure_patterns(model, evaluation);
  return {with_opening(patterns_report(patterns), runs, context.options, Figures::scores),
          patterns_json(patterns)};
}

}  // namespace orrery
