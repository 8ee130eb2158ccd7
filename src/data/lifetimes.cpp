#include "data/lifetimes.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <unordered_map>

namespace orrery {
namespace {

constexpr double least_variance = 1;  // in time rows: what always comes a row later may come in two

struct Sums {
  double count = 0, sum = 0, squares = 0;

  void add(double weight, double value) {
    count += weight;
    sum += weight * value;
    squares += weight * value * value;
  }
};

std::uint64_t key_of(std::int32_t asked, std::int32_t kind) {
  return static_cast<std::uint64_t>(asked) << 32U | static_cast<std::uint32_t>(kind);
}

// Calls visit(entity, kind, time) for each time of each side of a fact.
template <class Visit>
void for_each_happening(const KnownFact& fact, RelationIds relations, const Visit& visit) {
  for (const bool reciprocal : {false, true}) {
    const std::int32_t entity = reciprocal ? fact.subject : fact.object;
    for (const bool end : {false, true}) {
      const std::int32_t time = end ? fact.last : fact.first;
      if ((end && !relations.ends) || time == Moment::unknown) continue;
      visit(entity, relations.id(fact.relation, reciprocal, end), time);
    }
  }
}

}  // namespace

Lifetimes::Lifetimes(std::span<const KnownFact> facts, RelationIds relations, std::int32_t entities,
                     std::span<const KnownFact> added)
    : relations_(relations), entity_begin_(static_cast<std::size_t>(entities) + 1) {
  list({{facts}});
  learn_gaps(facts);
  if (!added.empty()) list({{facts, added}});
}

void Lifetimes::list(std::span<const std::span<const KnownFact>> lists) {
  const auto visit_all = [&](const auto& visit) {
    for (const auto& facts : lists)
      for (const KnownFact& fact : facts) for_each_happening(fact, relations_, visit);
  };
  std::ranges::fill(entity_begin_, 0);
  happenings_.clear();
  visit_all([&](std::int32_t entity, std::int32_t kind, std::int32_t time) {
    ++entity_begin_[static_cast<std::size_t>(entity) + 1];
    happenings_.push_back({kind, time});
  });
  for (std::size_t e = 1; e < entity_begin_.size(); ++e) entity_begin_[e] += entity_begin_[e - 1];
  std::ranges::sort(happenings_);
  happenings_.erase(std::ranges::unique(happenings_).begin(), happenings_.end());
  places_.resize(entity_begin_.back());
  std::vector<std::uint64_t> next(entity_begin_.begin(), entity_begin_.end() - 1);
  visit_all([&](std::int32_t entity, std::int32_t kind, std::int32_t time) {
    const auto found = std::ranges::lower_bound(happenings_, Happening{kind, time});
    places_[next[static_cast<std::size_t>(entity)]++] =
        static_cast<std::int32_t>(found - happenings_.begin());
  });
  for (std::size_t e = 0; e + 1 < entity_begin_.size(); ++e)
    std::sort(places_.begin() + static_cast<std::ptrdiff_t>(entity_begin_[e]),
              places_.begin() + static_cast<std::ptrdiff_t>(entity_begin_[e + 1]));
}

// All pairs of an entity's facts at once, from the sums of their times by kind; then what a fact
// says of itself is taken out again.
void Lifetimes::learn_gaps(std::span<const KnownFact> facts) {
  std::unordered_map<std::uint64_t, Sums> gaps;
  struct KindTimes {
    std::int32_t kind;
    Sums times;
  };
  std::vector<KindTimes> kinds;
  for (std::size_t e = 0; e + 1 < entity_begin_.size(); ++e) {
    kinds.clear();
    for (std::uint64_t i = entity_begin_[e]; i < entity_begin_[e + 1]; ++i) {
      const Happening& happening = happenings_[static_cast<std::size_t>(places_[i])];
      if (kinds.empty() || kinds.back().kind != happening.kind)
        kinds.push_back({happening.kind, {}});
      kinds.back().times.add(1, happening.time);
    }
    for (const auto& [asked, a] : kinds)
      for (const auto& [kind, k] : kinds) {
        Sums& gap = gaps[key_of(asked, kind)];
        gap.count += a.count * k.count;
        gap.sum += a.count * k.sum - k.count * a.sum;
        gap.squares += a.count * k.squares + k.count * a.squares - 2 * a.sum * k.sum;
      }
  }
  for (const KnownFact& fact : facts)
    for_each_happening(fact, relations_, [&](auto entity, auto asked, auto time) {
      for_each_happening(fact, relations_, [&](auto other, auto kind, auto other_time) {
        if (other == entity) gaps[key_of(asked, kind)].add(-1, other_time - time);
      });
    });

  std::vector<std::pair<std::uint64_t, Sums>> sorted(gaps.begin(), gaps.end());
  std::erase_if(sorted, [](const auto& one) { return one.second.count == 0; });
  std::ranges::sort(sorted, {}, [](const auto& one) { return one.first; });
  gap_begin_.assign(static_cast<std::size_t>(relations_.count()) + 1, 0);
  for (const auto& [key, sums] : sorted) {
    const double mean = sums.sum / sums.count;
    const double variance = std::max(sums.squares / sums.count - mean * mean, least_variance);
    gaps_.push_back({static_cast<std::int32_t>(key & 0xffffffffU), static_cast<float>(mean),
                     static_cast<float>(1 / (2 * variance))});
    ++gap_begin_[(key >> 32U) + 1];
  }
  for (std::size_t r = 1; r < gap_begin_.size(); ++r) gap_begin_[r] += gap_begin_[r - 1];
}

std::vector<Lifetimes::Gap> Lifetimes::gaps_by_kind(std::int32_t relation) const {
  std::vector<Gap> gaps(static_cast<std::size_t>(relations_.count()), Gap{0, 0, -1});
  const auto r = static_cast<std::size_t>(relation);
  for (std::uint64_t i = gap_begin_[r]; i < gap_begin_[r + 1]; ++i)
    gaps[static_cast<std::size_t>(gaps_[i].kind)] = gaps_[i];
  return gaps;
}

float Lifetimes::closeness(const Happening& happening, std::int32_t time,
                           std::span<const Gap> gaps) {
  const Gap& gap = gaps[static_cast<std::size_t>(happening.kind)];
  if (gap.steepness <= 0) return 0;
  const float off = static_cast<float>(happening.time - time) - gap.mean;
  return std::exp(-off * off * gap.steepness);
}

template <class Value>
float Lifetimes::mean_of(std::int32_t entity, const Value& value) const {
  const std::uint64_t begin = entity_begin_[static_cast<std::size_t>(entity)];
  const std::uint64_t end = entity_begin_[static_cast<std::size_t>(entity) + 1];
  if (begin == end) return 0;
  float sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) sum += value(static_cast<std::size_t>(places_[i]));
  return sum / static_cast<float>(end - begin);
}

void Lifetimes::timeliness(const Query& query, std::span<float> entities) const {
  const auto gaps = gaps_by_kind(query.relation);
  std::vector<float> values(happenings_.size());
  for (std::size_t p = 0; p < values.size(); ++p)
    values[p] = closeness(happenings_[p], query.time, gaps);
  for (std::size_t e = 0; e < entities.size(); ++e)
    entities[e] = mean_of(static_cast<std::int32_t>(e), [&](std::size_t p) { return values[p]; });
}

float Lifetimes::timeliness(const Query& query, std::int32_t entity) const {
  const auto gaps = gaps_by_kind(query.relation);
  return mean_of(entity,
                 [&](std::size_t p) { return closeness(happenings_[p], query.time, gaps); });
}

}  // namespace orrery
