// How one fact of an event world comes about.
#pragma once

#include <cstdint>
#include <vector>

#include "demo/events.h"

namespace orrery {

// Draws from {0, …, n − 1} by weight.
class Lottery {
 public:
  explicit Lottery(const std::vector<double>& weights);
  std::int32_t draw(double uniform) const;  // from [0, 1)

 private:
  std::vector<double> sums_;
};

// Entities live in circles. A relation leads from each circle to one other, by one of four rules in
// turn: always the same, that of the relation before it turned round, another one each quarter of
// the time, or mutual. There a subject has a favourite object that it comes back to half of the
// time. One fact in five follows no rule.
class EventDraw {
 public:
  EventDraw(const EventShape& shape, std::uint64_t seed);

  Fact draw(std::uint64_t number) const;
  // The same, but of this entity, relation and day.
  Fact draw(std::uint64_t number, std::int32_t entity, std::int32_t relation,
            std::int32_t day) const;

 private:
  double chance(std::uint64_t what, std::uint64_t number) const;
  std::int32_t circle_after(std::int32_t circle, std::int32_t relation, std::int32_t quarter) const;
  std::int32_t object_of(std::uint64_t number, const Fact& fact) const;

  std::uint64_t seed_;
  std::int32_t days_, circles_;
  Lottery entity_lots_, relation_lots_, day_lots_;
  std::vector<Lottery> circle_lots_;
};

}  // namespace orrery
