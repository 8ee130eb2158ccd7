// Who? The best entities for the missing side of a fact.
#pragma once

#include <span>
#include <vector>

#include "engine/asker.h"
#include "serve/answer_limits.h"
#include "serve/question_ids.h"

namespace orrery {

struct BestEntities {
  std::vector<ScoredEntity> best;
  double log_sum = 0;                    // log Σ exp(score) over all entities …
  double log_sum_of_unknown = 0;         // … and over those that are no facts at this time
  std::vector<std::int32_t> known = {};  // that are; ascending

  // Against all that is no fact at this time, as calibration takes it.
  double log_probability(const ScoredEntity& one) const;
};

// For each question its best `top` entities that its limits allow. Questions at times of the axis
// that are not held to a list are answered where the engine has the scores; the others from whole
// rows of them. `facts`: those at hand, or none.
std::vector<BestEntities> best_entities(const StoredModel& model, Asker& asker,
                                        const FactsAtHand* facts,
                                        std::span<const QuestionIds> questions,
                                        std::span<const AnswerLimits> limits, std::size_t top);

}  // namespace orrery
