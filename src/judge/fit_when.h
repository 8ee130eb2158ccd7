// When? A model is trained to tell entities apart, not times. What train tells of a fact's parts
// around a time says more, and how much more is fitted on validation.
#pragma once

#include <optional>

#include "data/activity.h"
#include "data/fact_index.h"
#include "data/temporal_graph.h"
#include "engine/asker.h"
#include "orrery/when.h"

namespace orrery {

// Of the model that the asker has. Nothing: facts have intervals, there are too few of them or too
// few times, or the model's scores are no numbers.
std::optional<WhenFit> fit_when(Asker& asker, const TemporalGraph& data);

// What the activity around a time adds to the model's part.
double activity_part(const WhenFit& fit, const Activity& activity, std::int32_t time);

WhenReport measured_when(Asker& asker, const TemporalGraph& data, Split split,
                         const std::optional<WhenFit>& fit, std::size_t most);

}  // namespace orrery
