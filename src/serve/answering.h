// From questions in names to scores, and from the best scores to answers.
#pragma once

#include <span>
#include <vector>

#include "engine/asker.h"
#include "learn/stored_model.h"
#include "orrery/calibration.h"
#include "orrery/predict.h"
#include "orrery/when.h"
#include "serve/known_answers.h"

namespace orrery {

// What answers need beside the model's scores.
struct AnswerAids {
  const FactsAtHand* facts = nullptr;        // that they are compared with; none: they are not
  const Calibration* calibration = nullptr;  // none: probabilities are as softmax gives them
  const WhenFit* when = nullptr;             // none: times are compared by the model alone
};

// A question that names what the model does not know, or leaves out several parts, is a request
// Error.
std::vector<Answers> answer(const StoredModel& model, Asker& asker, const AnswerAids& aids,
                            std::span<const Question> questions, const PredictOptions& options);

}  // namespace orrery
