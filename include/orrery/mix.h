// Several trained models as one, whose scores are weighted sums of theirs.
#pragma once

#include <span>

#include "orrery/dataset.h"
#include "orrery/model.h"

namespace orrery {

// Weights are chosen on the validation facts of `data`, which all of them were trained on; the test
// split has no part in it. The same models and facts give the same weights. Fewer than two models,
// mixtures, and models of other data are a request Error that says what differs. The result is
// evaluated, asked and saved like any model; card().mixture says what it is made of.
Model mix(std::span<const Model> models, const Dataset& data, const MachineOptions& machine = {});

}  // namespace orrery
