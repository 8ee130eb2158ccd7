#include "data/leaks.h"

#include <algorithm>
#include <limits>

#include "data/moment_spans.h"

namespace orrery {
namespace {

// The facts of train with this subject, relation and object.
std::span<const Fact> alike(const std::vector<Fact>& train, const Fact& fact) {
  constexpr auto least = std::numeric_limits<std::int32_t>::min(),
                 most = std::numeric_limits<std::int32_t>::max();
  const auto begin =
      std::ranges::lower_bound(train, Fact{fact.subject, fact.relation, fact.object, least});
  const auto end =
      std::upper_bound(begin, train.end(), Fact{fact.subject, fact.relation, fact.object, most});
  return {begin, end};
}

}  // namespace

void count_leaks(const TemporalGraph& data, const std::vector<Fact>& train,
                 std::span<const InverseRelation> inverses, Split split, SplitCheck& check) {
  const std::vector<Span> spans = moment_spans(data.times);
  std::vector<std::vector<std::int32_t>> inverses_of(
      static_cast<std::size_t>(data.relations.size()));
  for (const InverseRelation& pair : inverses)
    inverses_of[static_cast<std::size_t>(pair.relation)].push_back(pair.inverse);
  const auto in_train = [&](const Fact& fact) { return std::ranges::binary_search(train, fact); };

  for (const Fact& fact : data.split(split)) {
    const auto turned = [&](std::int32_t relation) {
      return Fact{fact.object, relation, fact.subject, fact.when};
    };
    if (fact.subject != fact.object) {
      if (in_train(turned(fact.relation))) ++check.reversed_in_train;
      const auto& inverse = inverses_of[static_cast<std::size_t>(fact.relation)];
      if (std::ranges::any_of(inverse, [&](std::int32_t r) { return in_train(turned(r)); }))
        ++check.inverse_in_train;
    }
    const auto same = alike(train, fact);
    if (same.empty()) continue;
    const Span& valid = spans[static_cast<std::size_t>(fact.when)];
    const bool shared = std::ranges::any_of(same, [&](const Fact& other) {
      return valid.meets(spans[static_cast<std::size_t>(other.when)]);
    });
    ++(shared ? check.at_shared_time : check.at_another_time);
  }
}

}  // namespace orrery
