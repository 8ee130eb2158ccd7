#include "sweep/effect.h"

#include <fmt/ranges.h>

#include "orrery/models.h"
#include "sweep/refusal.h"

namespace orrery {

EffectCheck::EffectCheck(const SweepOptions& options) {
  for (const SearchedOption& option : options.searched) idle_[option.name];
}

void EffectCheck::look_at(const TrainOptions& trial, const Dataset& data) {
  models_.insert(trial.model);
  for (auto& [name, reason] : idle_) reason = why_no_effect(name, trial, data);
  std::erase_if(idle_, [](const auto& option) { return option.second.empty(); });
}

void EffectCheck::refuse_idle(const SweepOptions& options) const {
  for (const auto& [name, reason] : idle_)
    fail_request(blaming(options, name, "take the line out"),
                 "{} is searched, but changes nothing with {} on this data: {}", option_mark(name),
                 fmt::join(models_, ", "), reason);
}

}  // namespace orrery
