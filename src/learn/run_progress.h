// Where a training stands, beside its embeddings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "orrery/scores.h"

namespace orrery {

struct RunProgress {
  std::int64_t epoch = 1;  // the one in hand, from 1
  std::int64_t step = 0;   // steps of it that are done
  LossSums sums;           // of those steps
  std::int64_t best_epoch = 0;
  std::optional<Scores> best;
  std::int64_t since_best = 0;     // validations since
  double last_loss = 0;            // of the last whole epoch
  bool validation_is_due = false;  // the epoch's steps and its average are done
  std::string started_from = {};   // fingerprint of the model it started from; empty: none
};

}  // namespace orrery
