#include "orrery/evaluate.h"

#include "api/judged_run.h"

namespace orrery {

Evaluation evaluate(const std::filesystem::path& model, const EvaluateOptions& options) {
  const Judgement judged = judge_run(model, options, {}).judgement;
  return {static_cast<std::int64_t>(judged.pessimistic.count),
          scores_of(judged.pessimistic),
          scores_of(judged.realistic),
          scores_of(judged.optimistic),
          scores_of(judged.object),
          scores_of(judged.subject)};
}

}  // namespace orrery
