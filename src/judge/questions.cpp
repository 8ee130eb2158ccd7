#include "judge/questions.h"

namespace orrery {
namespace {

// The answers of question i end at ends[i]; they lie where they are only when all are there.
void point_into(std::span<const std::int32_t> gathered, std::span<const std::size_t> ends,
                std::vector<RankQuestion>& questions) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    questions[i].known = gathered.subspan(begin, ends[i] - begin);
    begin = ends[i];
  }
}

}  // namespace

AskedQuestions questions_of(const TemporalGraph& data, const FilterIndex& filter,
                            std::span<const Fact> facts) {
  AskedQuestions asked;
  std::vector<std::size_t> ends;
  asked.questions.reserve(facts.size() * queries_per_fact);
  for (const Fact& fact : facts) {
    for (const Direction direction : question_directions) {
      asked.questions.push_back({queries_of(data, fact, direction),
                                 direction == Direction::object ? fact.object : fact.subject,
                                 {}});
      if (!data.times.within) {
        asked.questions.back().known = filter.known_answers(fact, direction);
        continue;
      }
      filter.append_answers_at(asked_point(data, fact), fact, direction, asked.gathered);
      ends.push_back(asked.gathered.size());
    }
  }
  if (data.times.within) point_into(asked.gathered, ends, asked.questions);
  return asked;
}

}  // namespace orrery
