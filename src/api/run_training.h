// The training of one run, for all who train: what its standing says is left to do.
#pragma once

#include "learn/run_lifecycle.h"
#include "orrery/train.h"

namespace orrery {

// Starts it, goes on with it (also with one that has failed before), or, where it is finished, only
// says what came of it. One that is refused is a request Error. The caller holds the directory.
TrainSummary carry_out_training(const RunDirectory& run, const RunStanding& standing,
                                const TrainOptions& options, TrainObserver& observer);

}  // namespace orrery
