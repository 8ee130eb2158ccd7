// What a model knows once facts are added to it: more names and times, in whose order ids move.
#pragma once

#include "data/temporal_graph.h"
#include "learn/model_header.h"

namespace orrery {

// All facts in the train split: which split they were in says nothing to a model that takes them.
TemporalGraph all_in_train(TemporalGraph facts);

// `facts`: all in train. Its history is that of the model, with the new facts beside it. Times that
// cannot be added are a request Error.
//
// What training never saw is no longer untrained where the new facts have it.
//
// Points in time are added wherever they lie. The rows of intervals are what train says changes: a
// fact between them takes the rows that are there, and rows are added before the first and after
// the last alone.
ModelHeader grown_header(const ModelHeader& model, const TemporalGraph& facts);

}  // namespace orrery
