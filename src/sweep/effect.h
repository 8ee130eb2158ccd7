// What is searched must be able to change something.
#pragma once

#include <map>
#include <set>
#include <string>

#include "orrery/sweep.h"

namespace orrery {

// Is shown every trial, and then refuses an option that would have made no difference in any.
class EffectCheck {
 public:
  explicit EffectCheck(const SweepOptions& options);

  // The options of a trial are checked ones.
  void look_at(const TrainOptions& trial, const Dataset& data);
  void refuse_idle(const SweepOptions& options) const;

 private:
  std::map<std::string, std::string> idle_;  // searched options without effect up to now, and why
  std::set<std::string> models_;             // of the trials
};

}  // namespace orrery
