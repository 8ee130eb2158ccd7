// The studies of one trained model: its geometry, and how it treats the patterns of its data.
#include "base/error.h"
#include "orrery/evaluate.h"
#include "study/geometry.h"
#include "study/patterns.h"
#include "study/studies.h"
#include "study/study_report.h"

namespace orrery {
namespace {

std::filesystem::path model_of(const StudyRuns& runs, const StudyContext& context) {
  if (!context.options.run.empty()) return context.options.run;
  for (const Comparison& comparison : runs.comparisons)
    for (const CompareRow& row : comparison.rows)
      for (const ComparedRun& run : row.runs) return run.run;
  fail_broken("a study of one model has none");
}

// A model that the study itself has trained is worth the words on top.
Report with_opening(Report report, const StudyRuns& runs) {
  if (runs.comparisons.empty()) return report;
  const Report opening = opened_report(report.title, runs);
  report.blocks.insert(report.blocks.begin(), opening.blocks.begin(), opening.blocks.end());
  return report;
}

// With --run another folder may be named; else the run knows its own.
std::string data_of(const StudyContext& context) {
  return context.options.run.empty() ? std::string() : context.options.data;
}

}  // namespace

StudyOutcome geometry_study(const StudyRuns& runs, const StudyContext& context) {
  const Geometry geometry = measure_geometry(
      model_of(runs, context), {context.options.relation, context.options.time, data_of(context)});
  return {with_opening(geometry_report(geometry), runs), geometry_json(geometry)};
}

StudyOutcome patterns_study(const StudyRuns& runs, const StudyContext& context) {
  const auto changed = [&](const char* name, const std::string& otherwise) {
    const auto found = context.options.changes.find(name);
    return found == context.options.changes.end() ? otherwise : found->second;
  };
  EvaluateOptions evaluation;
  evaluation.data = data_of(context);
  evaluation.device = changed("device", "auto");
  evaluation.threads = std::stoll(changed("threads", "0"));
  evaluation.memory = changed("memory", "");
  const Patterns patterns = measure_patterns(model_of(runs, context), evaluation);
  return {with_opening(patterns_report(patterns), runs), patterns_json(patterns)};
}

}  // namespace orrery
