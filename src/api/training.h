// One training, in memory or in a run's directory.
#pragma once

#include "learn/run_saver.h"
#include "learn/trainer.h"
#include "orrery/dataset.h"

namespace orrery {

// A trainer that validates on the facts' validation split.
class Training {
 public:
  Training(const Dataset& data, const TrainOptions& options, TrainObserver& observer,
           RunSaver* saver = nullptr);

  // `anew`, or from the state that the saver has.
  TrainSummary train(bool anew);
  Trainer& trainer() { return trainer_; }

 private:
  std::optional<Scores> validate(Engine& engine);

  Dataset data_;
  TrainObserver& observer_;
  Trainer trainer_;
};

}  // namespace orrery
