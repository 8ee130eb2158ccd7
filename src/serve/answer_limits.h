// Which candidates may be answers: among some, none of others, of a kind that train has seen.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "learn/stored_model.h"
#include "orrery/predict.h"
#include "serve/known_answers.h"

namespace orrery {

class AnswerLimits {
 public:
  // Names that are no candidates of the question are request Errors.
  AnswerLimits(const StoredModel& model, const FactsAtHand* facts, const QuestionIds& question,
               const PredictOptions& options);

  // `id` of an entity, a relation or a time row, as the question asks.
  bool allows(std::int32_t id) const;
  // How many of the best answers may be refused; empty: any number.
  std::optional<std::size_t> most_refused() const;

 private:
  bool limited_ = false;                  // to those of `only_`
  std::vector<std::int32_t> only_, not_;  // ascending
};

}  // namespace orrery
