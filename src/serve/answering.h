// From questions in names to queries, and from the best scores to answers.
#pragma once

#include <span>
#include <vector>

#include "engine/asker.h"
#include "learn/stored_model.h"
#include "orrery/predict.h"

namespace orrery {

// True where a model's answers depend on the time that is asked for.
bool knows_time(const StoredModel& model);

// A question that names what the model does not know, or does not leave out exactly one side, is a
// request Error.
std::vector<Answers> answer(const StoredModel& model, Asker& asker,
                            std::span<const Question> questions, const PredictOptions& options);

}  // namespace orrery
