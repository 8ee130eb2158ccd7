// Facts in a model's ids, so that a model can be judged on files it was not trained from.
#pragma once

#include "data/temporal_graph.h"
#include "learn/model_file.h"

namespace orrery {

// True where the facts are in the model's ids already.
bool has_ids_of(const ModelHeader& header, const TemporalGraph& data);

// Points or intervals, what an interval says, and the granularity: what differs is a request Error.
void require_same_reading(const Timeline& model, const Timeline& data);

// Entities and relations the model does not know are a request Error that counts them and names
// the first; times, which must be of the model's granularity, go to its nearest row.
TemporalGraph align_data(const ModelHeader& header, TemporalGraph data);

}  // namespace orrery
