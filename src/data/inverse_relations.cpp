#include "data/inverse_relations.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace orrery {
namespace {

// A fact seen from its smaller entity, so that both directions of a pair lie side by side.
struct PairFact {
  std::int32_t low, high, when;
  std::int32_t relation_and_side;  // 2 · relation + 1 when the larger entity is the subject

  friend auto operator<=>(const PairFact&, const PairFact&) = default;

  bool same_pair(const PairFact& other) const {
    return low == other.low && high == other.high && when == other.when;
  }
  std::int32_t relation() const { return relation_and_side / 2; }
  bool turned() const { return relation_and_side % 2 != 0; }
};

std::vector<PairFact> distinct_pair_facts(const TemporalGraph& data) {
  std::vector<PairFact> facts;
  facts.reserve(data.facts[0].size() + data.facts[1].size() + data.facts[2].size());
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split)) {
      const bool turned = fact.subject > fact.object;
      facts.push_back({std::min(fact.subject, fact.object), std::max(fact.subject, fact.object),
                       fact.when, 2 * fact.relation + (turned ? 1 : 0)});
    }
  }
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

}  // namespace

std::vector<InverseRelation> find_inverse_relations(const TemporalGraph& data) {
  const std::vector<PairFact> facts = distinct_pair_facts(data);
  const auto relations = static_cast<std::uint64_t>(data.relations.size());
  std::vector<std::uint64_t> facts_of(relations);
  std::unordered_map<std::uint64_t, std::uint64_t> reversed;  // by relation · |R| + inverse
  for (auto begin = facts.begin(); begin != facts.end();) {
    const auto end = std::find_if_not(
        begin, facts.end(), [begin](const PairFact& fact) { return fact.same_pair(*begin); });
    for (auto a = begin; a != end; ++a) {
      ++facts_of[static_cast<std::size_t>(a->relation())];
      if (a->low == a->high) continue;  // a fact of one entity with itself says nothing
      for (auto b = begin; b != end; ++b) {
        if (a->turned() == b->turned()) continue;
        ++reversed[static_cast<std::uint64_t>(a->relation()) * relations +
                   static_cast<std::uint64_t>(b->relation())];
      }
    }
    begin = end;
  }

  std::vector<InverseRelation> pairs;
  for (const auto& [pair, count] : reversed) {
    const std::uint64_t relation = pair / relations;
    if (10 * count < 8 * facts_of[relation]) continue;
    pairs.push_back({static_cast<std::int32_t>(relation),
                     static_cast<std::int32_t>(pair % relations), facts_of[relation], count});
  }
  std::sort(pairs.begin(), pairs.end(), [](const InverseRelation& a, const InverseRelation& b) {
    return std::tie(b.facts, a.relation, a.inverse) < std::tie(a.facts, b.relation, b.inverse);
  });
  return pairs;
}

}  // namespace orrery
