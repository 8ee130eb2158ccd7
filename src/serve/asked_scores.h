// Scores of all entities for questions at any place of the time axis, and of whole facts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/asker.h"
#include "learn/stored_model.h"
#include "serve/known_answers.h"
#include "serve/question_ids.h"

namespace orrery {

// Models of starts and ends hold them apart: a time asks both, as the judge does. Others are asked
// for what holds then.
QueryPair queries_at(const ModelHeader& header, const SideQuestion& question, std::int32_t row);

// log Σ exp(score) over a row of scores. A score that is NaN or infinite is a model Error.
double log_sum_of(std::span<const float> scores);

// Asks questions a few at a time, so that memory does not grow with their number. `take` is given
// each question's place and the scores of all entities; of a place between two times they are
// weighted means.
void score_each(const ModelHeader& header, Asker& asker, std::span<const SideQuestion> questions,
                const std::function<void(std::size_t, std::span<const float>)>& take);

struct FactIds {
  std::int32_t subject = 0, relation = 0, object = 0;
  AskedTime time = {};
};

struct FactRating {
  double score = 0;        // of the object, as an answer to (subject, relation, ?, time)
  double probability = 0;  // its softmax over all entities
  // Of the object and of the subject, as answers; other answers that are facts then are left out.
  double object_log_odds = 0, subject_log_odds = 0;

  // By which facts are compared; log-probabilities could not tell apart those next to certain.
  double plausibility() const { return object_log_odds + subject_log_odds; }
};
double log_probability_of(double log_odds);
// `known`: the facts at hand, or none.
std::vector<FactRating> rate(const StoredModel& model, Asker& asker, const FactsAtHand* known,
                             std::span<const FactIds> facts);

// Σ p = 1, p ∝ exp(value).
std::vector<double> softmax(std::span<const double> values);

}  // namespace orrery
