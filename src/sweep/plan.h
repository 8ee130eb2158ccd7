// A sweep before anything is trained: defaults filled in, its trials, its rungs, and everything
// refused that can be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/sweep.h"
#include "sweep/facts.h"
#include "sweep/space.h"

namespace orrery {

struct SweepPlan {
  SweepOptions options;  // settled
  std::vector<Rung> rungs;
  std::vector<TrialValues> trials;
  std::vector<std::int64_t> parameters;  // of each
  TrialFacts facts;
  std::string data_fingerprint;      // of the facts alone, whatever classes their years are in
  std::int64_t valid_questions = 0;  // that each validation asks

  std::int64_t results() const;  // a result is of a trial at a rung
};

SweepPlan plan_sweep(SweepOptions options);

// Of so many epochs as `rung` allows; all seeds but the first are further ones.
TrainOptions options_of_run(const SweepOptions& options, const TrialValues& trial,
                            std::int64_t epochs, std::int64_t run);

// Epochs go up `keep`-fold from rung to rung, trials down; rungs end where validation is due.
std::vector<Rung> rungs_of(std::int64_t trials, std::int64_t epochs, std::int64_t first_epochs,
                           std::int64_t keep, std::int64_t eval_every);

}  // namespace orrery
