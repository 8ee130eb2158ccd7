// Who? The best entities for the missing side of a fact.
#pragma once

#include <span>
#include <vector>

#include "engine/asker.h"
#include "serve/answer_limits.h"
#include "serve/question_ids.h"

namespace orrery {

// For each question its best `top` entities that its limits allow, and the sum over all entities
// that a softmax needs. Questions at times of the axis that are not held to a list are answered
// where the engine has the scores; the others from whole rows of them.
std::vector<TopAnswers> best_entities(const ModelHeader& header, Asker& asker,
                                      std::span<const QuestionIds> questions,
                                      std::span<const AnswerLimits> limits, std::size_t top);

}  // namespace orrery
