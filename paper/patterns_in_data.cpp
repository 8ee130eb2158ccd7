#include "paper/patterns_in_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace orrery {
namespace {

// A fact seen from its smaller entity, so that all that happens between two lies side by side.
struct Meeting {
  std::int32_t low, high, time, relation;
  bool turned;

  friend auto operator<=>(const Meeting&, const Meeting&) = default;
};

std::vector<Meeting> distinct_meetings(const Dataset& data) {
  std::vector<Meeting> meetings;
  for (const Split split : all_splits)
    for (const Fact& fact : data.facts(split))
      if (fact.subject != fact.object)
        meetings.push_back({std::min(fact.subject, fact.object),
                            std::max(fact.subject, fact.object), time_of(data, fact), fact.relation,
                            fact.subject > fact.object});
  std::ranges::sort(meetings);
  meetings.erase(std::unique(meetings.begin(), meetings.end()), meetings.end());
  return meetings;
}

// How often `later` comes after `earlier`, by lag − 1.
using LagCounts = std::array<std::uint64_t, longest_lag>;
class Sequences {
 public:
  explicit Sequences(const Dataset& data)
      : relations_(static_cast<std::uint64_t>(data.relations())), facts_(relations_) {
    const auto meetings = distinct_meetings(data);
    for (auto a = meetings.begin(); a != meetings.end(); ++a) {
      ++facts_[static_cast<std::size_t>(a->relation)];
      for (auto b = a + 1; b != meetings.end() && b->low == a->low && b->high == a->high &&
                           b->time - a->time <= longest_lag;
           ++b)
        if (b->time > a->time)
          ++counts_[key(a->relation, b->relation, a->turned != b->turned)]
                   [static_cast<std::size_t>(b->time - a->time - 1)];
    }
  }

  std::vector<EvolvingPair> evolving() const {
    std::vector<EvolvingPair> pairs;
    for (const auto& [at, counts] : counts_) {
      const auto cause = static_cast<std::int32_t>(at / 2 / relations_);
      const auto effect = static_cast<std::int32_t>(at / 2 % relations_);
      const bool turned = at % 2 != 0;
      // The effect before the cause is the cause after the effect.
      const auto mirrored = counts_.find(key(effect, cause, turned));
      const LagCounts before = mirrored == counts_.end() ? LagCounts{} : mirrored->second;
      EvolvingPair best{.cause = cause,
                        .effect = effect,
                        .turned = turned,
                        .facts = facts_[static_cast<std::size_t>(cause)]};
      for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] + best.preceded > best.followed + before[i]) {
          best.lag = static_cast<std::int32_t>(i) + 1;
          best.followed = counts[i];
          best.preceded = before[i];
        }
      if (is_evolving(best)) pairs.push_back(best);
    }
    std::ranges::sort(pairs, [](const EvolvingPair& a, const EvolvingPair& b) {
      return std::make_tuple(surplus(b), a.cause, a.effect, a.turned) <
             std::make_tuple(surplus(a), b.cause, b.effect, b.turned);
    });
    if (pairs.size() > most_evolving) pairs.resize(most_evolving);
    return pairs;
  }

 private:
  static std::uint64_t surplus(const EvolvingPair& pair) { return pair.followed - pair.preceded; }
  static bool is_evolving(const EvolvingPair& pair) {
    const auto sum = static_cast<double>(pair.followed + pair.preceded);
    return pair.lag > 0 && pair.followed >= fewest_facts && pair.lift() >= least_lift &&
           static_cast<double>(surplus(pair)) >= 4 * std::sqrt(sum);
  }
  std::uint64_t key(std::int32_t earlier, std::int32_t later, bool turned) const {
    return 2 * (static_cast<std::uint64_t>(earlier) * relations_ +
                static_cast<std::uint64_t>(later)) +
           (turned ? 1 : 0);
  }

  std::uint64_t relations_;
  std::vector<std::uint64_t> facts_;
  std::unordered_map<std::uint64_t, LagCounts> counts_;
};

}  // namespace

std::int32_t time_of(const Dataset& data, const Fact& fact) {
  const Moment moment = data.moment(fact);
  return moment.start == Moment::unknown ? moment.end : moment.start;
}

std::vector<ReversedCount> count_reversed(std::span<const Fact> facts, std::int32_t relations) {
  std::vector<Fact> distinct(facts.begin(), facts.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<ReversedCount> counts(static_cast<std::size_t>(relations));
  for (const Fact& fact : distinct) {
    if (fact.subject == fact.object) continue;
    ReversedCount& count = counts[static_cast<std::size_t>(fact.relation)];
    const Fact reverse{fact.object, fact.relation, fact.subject, fact.when};
    ++count.facts;
    if (std::ranges::binary_search(distinct, reverse)) ++count.reversed;
  }
  return counts;
}

DataPatterns find_patterns(const Dataset& data) {
  DataPatterns patterns;
  std::vector<Fact> all;
  for (const Split split : all_splits)
    all.insert(all.end(), data.facts(split).begin(), data.facts(split).end());
  const auto counts = count_reversed(all, data.relations());
  for (std::int32_t r = 0; r < data.relations(); ++r) {
    const auto [facts, reversed] = counts[static_cast<std::size_t>(r)];
    if (facts >= fewest_facts && 2 * reversed >= facts)
      patterns.symmetric.push_back({r, r, facts, reversed});
  }
  std::ranges::stable_sort(patterns.symmetric, std::ranges::greater{}, &InverseRelation::facts);
  for (const InverseRelation& pair : data.check().inverses)
    if (pair.facts >= fewest_facts && pair.relation != pair.inverse)
      patterns.inverse.push_back(pair);
  patterns.evolving = Sequences(data).evolving();
  return patterns;
}

}  // namespace orrery
