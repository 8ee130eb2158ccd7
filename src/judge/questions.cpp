#include "judge/questions.h"

namespace orrery {

std::vector<RankQuestion> questions_of(const TemporalGraph& data, const FilterIndex& filter,
                                       std::span<const Fact> facts) {
  std::vector<RankQuestion> questions;
  questions.reserve(facts.size() * queries_per_fact);
  for (const Fact& fact : facts) {
    for (const Direction direction : question_directions) {
      questions.push_back({queries_of(data, fact, direction),
                           direction == Direction::object ? fact.object : fact.subject,
                           filter.known_answers(fact, direction)});
    }
  }
  return questions;
}

}  // namespace orrery
