#include "paper/patterns_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/random.h"

namespace orrery {
namespace {

constexpr std::uint64_t random_pairs = 100;
constexpr std::uint64_t random_key = 20140329;

}  // namespace

// Distances of one kind.
class PatternDistances::Sample {
 public:
  void add(double distance) {
    if (!std::isnan(distance)) distances_.push_back(distance);
  }
  PatternDistance of(std::string what) const {
    const auto [mean, deviation] = statistics_of(distances_);
    return {std::move(what), distances_.size(), mean, deviation};
  }

 private:
  std::vector<double> distances_;
};

PatternDistances::PatternDistances(const RelationTransforms& transforms,
                                   std::vector<std::uint64_t> facts)
    : transforms_(transforms), times_(transforms.sample_of_times(most_sampled_times)) {
  last_time_ = times_.back();
  for (std::size_t r = 0; r < facts.size(); ++r)
    if (facts[r] >= fewest_facts) frequent_.push_back(static_cast<std::int32_t>(r));
}

double PatternDistances::between(std::int32_t one, std::int32_t other, std::int32_t lag,
                                 bool straight) const {
  AdjointDistance sum;
  bool any = false;
  const auto ones = transforms_.rows_of(one), others = transforms_.rows_of(other);
  for (std::size_t side = 0; side < ones.size(); ++side)
    for (const std::int32_t time : times_)
      if (time + lag <= last_time_) {
        sum.add(transforms_.distance({ones[side], time}, {others[side], time + lag}, straight));
        any = true;
      }
  return any ? sum.value() : std::numeric_limits<double>::quiet_NaN();
}

// Of two different relations each; all there are, if these are not more.
std::vector<PatternDistances::Pair> PatternDistances::pairs_at_random() const {
  std::vector<Pair> pairs;
  const auto count = static_cast<std::uint32_t>(frequent_.size());
  const auto add = [&](std::uint32_t one, std::uint32_t step) {
    pairs.push_back({frequent_[one], frequent_[(one + step) % count]});
  };
  if (std::uint64_t{count} * (count - 1) <= random_pairs) {
    for (std::uint32_t one = 0; one < count; ++one)
      for (std::uint32_t step = 1; step < count; ++step) add(one, step);
    return pairs;
  }
  for (std::uint64_t i = 0; i < random_pairs; ++i)
    add(random_below(random_key, 2 * i, count), 1 + random_below(random_key, 2 * i + 1, count - 1));
  return pairs;
}

std::vector<PatternDistance> PatternDistances::summary(const DataPatterns& patterns) const {
  std::vector<PatternDistance> list;
  Sample symmetric, others, inverse, random, reciprocal;
  for (const std::int32_t r : frequent_) {
    const bool is = std::ranges::count(patterns.symmetric, r, &InverseRelation::relation) > 0;
    (is ? symmetric : others).add(between(r, r));
    AdjointDistance sum;
    const auto rows = transforms_.rows_of(r), reciprocals = transforms_.rows_of(r, true);
    for (std::size_t side = 0; side < rows.size(); ++side)
      for (const std::int32_t time : times_)
        sum.add(transforms_.distance({rows[side], time}, {reciprocals[side], time}));
    reciprocal.add(sum.value());
  }
  // Where each is the inverse of the other, the pair is listed twice.
  std::set<std::pair<std::int32_t, std::int32_t>> inverse_pairs;
  for (const InverseRelation& pair : patterns.inverse)
    inverse_pairs.insert(std::minmax(pair.relation, pair.inverse));
  for (const auto& [one, other] : inverse_pairs) inverse.add(between(one, other));
  for (const Pair& pair : pairs_at_random()) random.add(between(pair.one, pair.other));
  list.push_back(symmetric.of("symmetric relations: R and R†"));
  list.push_back(others.of("other relations: R and R†"));
  list.push_back(inverse.of("inverse pairs: R₁ and R₂†"));
  list.push_back(random.of("random pairs: R₁ and R₂†"));
  list.push_back(reciprocal.of("a relation and its own reciprocal one: R₁ and R₂†"));
  add_evolving(patterns, true, list);
  add_evolving(patterns, false, list);
  return list;
}

void PatternDistances::add_evolving(const DataPatterns& patterns, bool turned,
                                    std::vector<PatternDistance>& list) const {
  Sample evolving, random;
  std::vector<std::int32_t> lags;
  for (const EvolvingPair& pair : patterns.evolving) {
    if (pair.turned != turned) continue;
    evolving.add(between(pair.cause, pair.effect, pair.lag, !turned));
    lags.push_back(pair.lag);
  }
  if (lags.empty()) return;
  std::size_t i = 0;
  for (const Pair& pair : pairs_at_random())
    random.add(between(pair.one, pair.other, lags[i++ % lags.size()], !turned));
  const char* formula = turned ? "R₁(t) and R₂(t + lag)†" : "R₁(t) and R₂(t + lag)";
  list.push_back(evolving.of(std::string("evolving pairs: ") + formula));
  list.push_back(random.of(std::string("random pairs, the same lags: ") + formula));
}

}  // namespace orrery
