#include "demo/event_draw.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace orrery {
namespace {

constexpr double noise = 0.2, faith = 0.5;
constexpr double entity_skew = 0.75, relation_skew = 0.7;
constexpr double weekend_share = 0.6;  // of a weekday's facts
constexpr std::int32_t circle_size = 25, quarters = 4;

// A key for each thing that is drawn.
enum Drawn : std::uint64_t { who, which, when, whether, whom, favourite, step, turn };
enum class Rule { steady, turned_round, evolving, mutual };

Rule rule_of(std::int32_t relation) { return static_cast<Rule>(relation % 4); }

// Zipf's law: the k-th is named in proportion to 1 / k^skew.
std::vector<double> popularity(std::int32_t first, std::int32_t step, std::int32_t end,
                               double skew) {
  std::vector<double> weights;
  for (std::int32_t k = first; k < end; k += step) weights.push_back(std::pow(k + 1.0, -skew));
  return weights;
}

std::vector<double> busyness(const EventShape& shape) {
  const TimePoint first = time_point(shape.first_day, Granularity::day);
  const TimePoint monday = time_point({2024, 1, 1}, Granularity::day);
  std::vector<double> weights;
  for (std::int32_t day = 0; day < shape.days; ++day) {
    const auto weekday = ((first + day - monday) % 7 + 7) % 7;
    weights.push_back(weekday < 5 ? 1 : weekend_share);
  }
  return weights;
}

}  // namespace

Lottery::Lottery(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sums_.push_back(sum += weight);
}

std::int32_t Lottery::draw(double uniform) const {
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), uniform * sums_.back());
  return static_cast<std::int32_t>(std::min(found, sums_.end() - 1) - sums_.begin());
}

// Entities are numbered by popularity, and dealt to the circles like cards.
EventDraw::EventDraw(const EventShape& shape, std::uint64_t seed)
    : seed_(seed),
      days_(shape.days),
      circles_(std::max(4, shape.entities / circle_size)),
      entity_lots_(popularity(0, 1, shape.entities, entity_skew)),
      relation_lots_(popularity(0, 1, shape.relations, relation_skew)),
      day_lots_(busyness(shape)) {
  for (std::int32_t circle = 0; circle < circles_; ++circle)
    circle_lots_.emplace_back(popularity(circle, circles_, shape.entities, entity_skew));
}

double EventDraw::chance(std::uint64_t what, std::uint64_t number) const {
  return random_uniform(random_bits(seed_, what), number);
}

Fact EventDraw::draw(std::uint64_t number) const {
  return draw(number, entity_lots_.draw(chance(who, number)),
              relation_lots_.draw(chance(which, number)), day_lots_.draw(chance(when, number)));
}

Fact EventDraw::draw(std::uint64_t number, std::int32_t entity, std::int32_t relation,
                     std::int32_t day) const {
  Fact fact{entity, relation, 0, day};
  if (rule_of(relation) != Rule::turned_round) {
    fact.object = object_of(number, fact);
    return fact;
  }
  fact.relation = relation - 1;
  return {object_of(number, fact), relation, entity, day};
}

std::int32_t EventDraw::circle_after(std::int32_t circle, std::int32_t relation,
                                     std::int32_t quarter) const {
  const auto most = static_cast<std::uint32_t>(circles_);
  const auto of = static_cast<std::uint64_t>(relation);
  auto steps = static_cast<std::int32_t>(random_below(random_bits(seed_, step), of, most));
  if (rule_of(relation) == Rule::mutual) return (steps + circles_ - circle) % circles_;
  if (rule_of(relation) == Rule::evolving)
    steps += quarter *
             static_cast<std::int32_t>(1 + random_below(random_bits(seed_, turn), of, most - 1));
  return (circle + steps) % circles_;
}

std::int32_t EventDraw::object_of(std::uint64_t number, const Fact& fact) const {
  const double lot = chance(whether, number);
  if (lot < noise) return entity_lots_.draw(chance(whom, number));
  const std::int32_t quarter =
      rule_of(fact.relation) == Rule::evolving ? fact.when * quarters / days_ : 0;
  const std::int32_t circle = circle_after(fact.subject % circles_, fact.relation, quarter);
  const auto pair = (static_cast<std::uint64_t>(fact.relation) << 34) |
                    (static_cast<std::uint64_t>(quarter) << 32) |
                    static_cast<std::uint64_t>(fact.subject);
  const bool faithful = lot < noise + (1 - noise) * faith;
  const double drawn = faithful ? chance(favourite, pair) : chance(whom, number);
  return circle + circles_ * circle_lots_[static_cast<std::size_t>(circle)].draw(drawn);
}

}  // namespace orrery
