// When an entity's facts happen, seen from one of them: a player joins a club some twenty years
// after birth, and a prize is won before death. From train alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/pair_history.h"
#include "data/query.h"

namespace orrery {

// The gaps between two kinds of facts of one entity are told by their mean and variance (TIMEPLEX,
// EMNLP 2020). The kind of a fact is the relation row that the entity is an answer to.
class Lifetimes {
 public:
  // `added`: facts that are known as well, but from which no gaps were learned.
  Lifetimes(std::span<const KnownFact> facts, RelationIds relations, std::int32_t entities,
            std::span<const KnownFact> added = {});

  // For every entity, how well its facts lie around the time of the question: the mean over them of
  // exp(−(gap − mean)² / 2 variance), from 0 to 1. One without facts has 0.
  void timeliness(const Query& query, std::span<float> entities) const;
  float timeliness(const Query& query, std::int32_t entity) const;

 private:
  struct Happening {
    std::int32_t kind = 0, time = 0;

    friend auto operator<=>(const Happening&, const Happening&) = default;
  };
  struct Gap {
    std::int32_t kind = 0;
    float mean = 0, steepness = 0;  // 1 / 2 variance
  };
  // Of one asked relation row, by kind: steepness −1 where train has no such gap.
  std::vector<Gap> gaps_by_kind(std::int32_t relation) const;
  static float closeness(const Happening& happening, std::int32_t time, std::span<const Gap> gaps);
  // Of an entity's happenings; `value(place)` of happenings_[place].
  template <class Value>
  float mean_of(std::int32_t entity, const Value& value) const;
  void list(std::span<const std::span<const KnownFact>> lists);
  void learn_gaps(std::span<const KnownFact> facts);

  RelationIds relations_;
  // Far more facts than kinds and times: what a question says of each pair of them is found once.
  std::vector<Happening> happenings_;        // all there are, in their order
  std::vector<std::uint64_t> entity_begin_;  // entity e's places begin here
  std::vector<std::int32_t> places_;         // among the happenings, of an entity in their order
  std::vector<std::uint64_t> gap_begin_;     // relation row r's gaps begin here
  std::vector<Gap> gaps_;
};

}  // namespace orrery
