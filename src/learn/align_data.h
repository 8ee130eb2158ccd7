// Facts in a model's ids, so that a model can be judged on files it was not trained from.
#pragma once

#include "data/temporal_graph.h"
#include "learn/model_file.h"

namespace orrery {

// Entities and relations the model does not know are a request Error that counts them and names
// the first; times, which must be of the model's granularity, go to its nearest row.
TemporalGraph align_data(const ModelCard& card, TemporalGraph data);

}  // namespace orrery
