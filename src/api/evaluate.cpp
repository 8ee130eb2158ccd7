#include "orrery/evaluate.h"

#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "judge/breakdown.h"
#include "judge/judge.h"
#include "learn/align_data.h"

namespace orrery {
namespace {

// The same facts, where their ids are the model's already.
Dataset aligned(const ModelHeader& header, const Dataset& data) {
  const DatasetState& given = data.state();
  if (has_ids_of(header, given.graph)) return data;
  auto state = std::make_shared<DatasetState>(align_data(header, given.graph), given.source,
                                              given.options, given.report);
  state->labels = given.labels;
  return Dataset(std::move(state));
}

EvaluationScores ranked(const Model& model, const Dataset& data, const EvaluateOptions& options) {
  JudgeOptions judging;
  judging.progress = options.progress;
  const auto asker = model.state().borrow_asker();
  try {
    return judge(*asker, data.state().graph, data.state().filter(), options.split, judging);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::model || model.state().verified()) throw;
    fail_model("{} (or the file, whose checksums were not compared, is damaged)", error.what());
  }
}

}  // namespace

Evaluation evaluate(const Model& model, const Dataset& data, const EvaluateOptions& options) {
  const Dataset facts = aligned(model.state().stored->header(), data);
  return {ranked(model, facts, options), facts};
}

std::vector<BreakdownRow> Evaluation::by(By part) const {
  return breakdown(data.state().graph, *this, part);
}

}  // namespace orrery
