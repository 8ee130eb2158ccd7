// What every engine asks before it takes a step or a state.
#include <algorithm>

#include "base/error.h"
#include "engine/engine.h"

namespace orrery {

void Engine::check_state(State state) const {
  if (is_of_optimizer(state) && optimizer_place(state) >= optimizer_.states.size())
    fail_broken("{} keeps {} numbers a parameter and no more", optimizer_.name,
                optimizer_.states.size());
}

void Engine::check_auxiliary(const LossRules& rules) const {
  for (const AuxiliaryLoss question : all_auxiliary_losses) {
    if (!rules.asks(question)) continue;
    if (!auxiliary_planned_)
      fail_broken("auxiliary losses were not enabled when the engine was created");
    auxiliary_table(question);
  }
}

void Engine::check_teacher(const LossRules& rules) const {
  if (rules.teacher_share <= 0) return;
  if (!teacher_planned_)
    fail_broken("self-distillation was not enabled when the engine was created");
  if (!has_average())
    fail_broken("self-distillation needs the moving average, which has not started");
}

void Engine::check_features(const LossRules& rules) const {
  if (has_features() && rules.with_features && !features_planned_)
    fail_broken("candidates' features in steps were not enabled when the engine was created");
}

std::size_t Engine::auxiliary_table(AuxiliaryLoss question) const {
  const int row = plan_.variant->auxiliary_targets[static_cast<std::size_t>(question)];
  const auto found = std::ranges::find_if(
      tables_, [&](const TableSpec& table) { return static_cast<int>(table.row) == row; });
  if (found == tables_.end()) fail_broken("this model has no embeddings for that auxiliary loss");
  return static_cast<std::size_t>(found - tables_.begin());
}

void Engine::train_only(std::vector<std::vector<std::int32_t>> /*rows*/) {
  fail_request(About{.option = "device", .advice = worded("take $device cpu")},
               "this device trains all embeddings or none");
}

}  // namespace orrery
