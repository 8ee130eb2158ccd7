// What the timeliness of a candidate is worth, fitted on validation after training.
#pragma once

#include <vector>

#include "data/temporal_graph.h"
#include "engine/asker.h"
#include "judge/questions.h"

namespace orrery {

// By relation row: one number for each relation and direction, the same for starts and ends.
// `timeliness` gives every candidate its own, of a pair the sum of both. Fitted on one half of
// validation and judged on the other; where it is not better there by twice the standard error, all
// are 0. Known answers of train and valid are no candidates; the test split has no part in it.
// `pause` may end it by throwing.
std::vector<float> fit_lifetimes(Scorer& model, Scorer& timeliness, const TemporalGraph& data,
                                 const Pause& pause = {});

}  // namespace orrery
