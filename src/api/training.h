// One training, in memory or in a run's directory.
#pragma once

#include "base/communicator.h"
#include "learn/run_saver.h"
#include "learn/trainer.h"
#include "orrery/dataset.h"

namespace orrery {

// A trainer that validates on the facts' validation split.
class Training {
 public:
  // Of several processes all make one, and `saver` is the leader's.
  Training(const Dataset& data, const TrainOptions& options, TrainObserver& observer,
           RunSaver* saver = nullptr, Communicator* processes = nullptr);

  // `anew`, or from the state that the saver has.
  TrainSummary train(bool anew);
  Trainer& trainer() { return trainer_; }

 private:
  std::optional<Scores> validate(Engine& engine);
  void stop_if_wanted();

  Dataset data_;
  TrainObserver& observer_;
  Communicator* processes_;
  Trainer trainer_;
};

}  // namespace orrery
