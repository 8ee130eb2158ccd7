// What a training came to as JSON, the same in a run's summary.json, in `train --json` and in a
// comparison; each adds what it knows beside.
#pragma once

#include <nlohmann/json.hpp>

#include "orrery/train.h"

namespace orrery {

inline nlohmann::ordered_json summary_to_json(const TrainSummary& summary) {
  return {{"ending", name_of(summary.ending)},
          {"epochs_done", summary.epochs_done},
          {"loss", summary.loss},
          {"seconds", summary.seconds},
          {"peak_memory", summary.peak_memory},
          {"data_fingerprint", summary.data_fingerprint},
          {"engine", summary.engine}};
}

}  // namespace orrery
