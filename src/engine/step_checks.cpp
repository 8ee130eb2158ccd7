// What every engine asks of a step's rules before it takes the step.
#include <algorithm>

#include "base/error.h"
#include "engine/engine.h"

namespace orrery {

void Engine::check_auxiliary(const LossRules& rules, bool announced) const {
  for (const AuxiliaryLoss question : all_auxiliary_losses) {
    if (!rules.asks(question)) continue;
    if (!announced) fail_broken("auxiliary losses are asked that were not announced");
    auxiliary_table(question);
  }
}

void Engine::check_teacher(const LossRules& rules, bool announced) const {
  if (rules.teacher_share <= 0) return;
  if (!announced) fail_broken("a teacher is asked that was not announced");
  if (!has_average()) fail_broken("a teacher is asked before there is an average");
}

std::size_t Engine::auxiliary_table(AuxiliaryLoss question) const {
  const int row = plan_.variant->auxiliary_targets[static_cast<std::size_t>(question)];
  const auto found = std::ranges::find_if(
      tables_, [&](const TableSpec& table) { return static_cast<int>(table.row) == row; });
  if (found == tables_.end()) fail_broken("an auxiliary loss is asked that has no trained answers");
  return static_cast<std::size_t>(found - tables_.begin());
}

}  // namespace orrery
