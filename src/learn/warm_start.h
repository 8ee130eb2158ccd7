// A training that starts from a model's embeddings.
#pragma once

#include <cstdint>

#include "learn/stored_model.h"
#include "orrery/options.h"

namespace orrery {

// How much of the data the model that a training starts from knows.
struct KnownRows {
  std::int32_t entities = 0, relations = 0, times = 0;
};

// The model that `options.from` names, where its embeddings mean the same in a training with these
// options and names; else a request Error that says what differs.
StoredModel model_to_start_from(const TrainOptions& options, const ModelHeader& header);

// Writes its rows over those of the engine's that have the same names or times. What history is
// worth is taken over only where training learns it: a fit on validation begins at zero.
KnownRows start_from(Engine& engine, const ModelHeader& header, const StoredModel& model);

}  // namespace orrery
