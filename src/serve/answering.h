// From questions in names to scores, and from the best scores to answers.
#pragma once

#include <span>
#include <vector>

#include "engine/asker.h"
#include "learn/stored_model.h"
#include "orrery/predict.h"
#include "serve/known_answers.h"

namespace orrery {

// `facts`: those that answers are compared with; none: they are not. A question that names what the
// model does not know, or leaves out several parts, is a request Error.
std::vector<Answers> answer(const StoredModel& model, Asker& asker, const FactsAtHand* facts,
                            std::span<const Question> questions, const PredictOptions& options);

}  // namespace orrery
