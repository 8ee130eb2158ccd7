// When? And which relation? Questions whose answers are whole facts, one for each candidate.
#pragma once

#include "engine/asker.h"
#include "learn/stored_model.h"
#include "orrery/predict.h"
#include "serve/answer_limits.h"
#include "serve/answering.h"
#include "serve/question_ids.h"

namespace orrery {

// Best answers, and of a missing time the curve and the likeliest interval; `known` and `seen` are
// left to the caller.
Answers best_times(const StoredModel& model, Asker& asker, const AnswerAids& aids,
                   const QuestionIds& question, const AnswerLimits& limits, std::size_t top);
Answers best_relations(const StoredModel& model, Asker& asker, const FactsAtHand* facts,
                       const QuestionIds& question, const AnswerLimits& limits, std::size_t top);
// With how probable it is that the fact is true, where there is a calibration.
Answers rated_fact(const StoredModel& model, Asker& asker, const FactsAtHand* facts,
                   const Calibration* calibration, const QuestionIds& question);

}  // namespace orrery
