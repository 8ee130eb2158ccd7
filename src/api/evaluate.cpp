#include "orrery/evaluate.h"

#include "api/judged_run.h"

namespace orrery {

Evaluation evaluate(const std::filesystem::path& model, const EvaluateOptions& options) {
  const Judgement judged = judge_run(model, options, {}).judgement;
  const auto scores = [](const Metrics& m) { return Scores{m.mrr, m.hits1, m.hits3, m.hits10}; };
  return {static_cast<std::int64_t>(judged.pessimistic.count),
          scores(judged.pessimistic),
          scores(judged.realistic),
          scores(judged.optimistic),
          scores(judged.object),
          scores(judged.subject)};
}

}  // namespace orrery
