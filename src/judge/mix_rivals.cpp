#include "judge/mix_rivals.h"

#include <algorithm>
#include <cmath>

#include "data/filter_index.h"
#include "judge/questions.h"

namespace orrery {
namespace {

constexpr std::size_t most_kept_scores = std::size_t{1} << 27;  // 512 MiB, or one fact
constexpr std::size_t most_asked_rows = 256;
constexpr std::size_t most_asked_scores = std::size_t{1} << 24;

}  // namespace

MixRivals::MixRivals(std::span<Asker* const> parts, const TemporalGraph& data)
    : parts_(parts.size()) {
  TemporalGraph seen = data;
  seen.facts[static_cast<int>(Split::test)].clear();
  const FilterIndex filter(seen);
  const auto entities = static_cast<std::size_t>(data.entities.size());
  const std::size_t scores_of_fact = entities * parts_ * queries_per_fact;
  const std::vector<Fact> facts = spread_facts(
      seen.split(Split::valid), std::max<std::size_t>(1, most_kept_scores / scores_of_fact));
  facts_ = facts.size();
  leads_.reserve(facts_ * scores_of_fact);
  const std::size_t facts_at_once = std::clamp<std::size_t>(most_asked_scores / scores_of_fact, 1,
                                                            most_asked_rows / queries_per_fact);
  std::vector<float> scores;
  for (std::size_t begin = 0; begin < facts.size(); begin += facts_at_once) {
    const std::size_t size = std::min(facts_at_once, facts.size() - begin);
    const AskedQuestions asked = questions_of(seen, filter, std::span(facts).subspan(begin, size));
    const auto queries = queries_of(asked.questions);
    scores.resize(parts_ * queries.size() * entities);
    for (std::size_t p = 0; p < parts_; ++p)
      parts[p]->score(queries, std::span(scores).subspan(p * queries.size() * entities,
                                                         queries.size() * entities));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const RankQuestion& question = asked.questions[i];
      for (std::size_t p = 0; p < parts_; ++p) {
        const float* row = scores.data() + (p * queries.size() + i) * entities;
        const double target = row[question.target];
        auto known = question.known.begin();
        for (std::int32_t e = 0; e < data.entities.size(); ++e) {
          while (known != question.known.end() && *known < e) ++known;
          if (e == question.target || (known != question.known.end() && *known == e)) continue;
          const auto lead = static_cast<float>(row[e] - target);
          if (!std::isfinite(lead)) fail_unrankable(begin * queries_per_fact + i);
          leads_.push_back(lead);
        }
      }
      ends_.push_back(leads_.size());
    }
  }
}

std::span<const float> MixRivals::leads(std::size_t question) const {
  const std::size_t begin = question == 0 ? 0 : ends_[question - 1];
  return std::span(leads_).subspan(begin, ends_[question] - begin);
}

}  // namespace orrery
