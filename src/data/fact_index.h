// What is known already: the facts of all splits, by either of their entities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/temporal_graph.h"

namespace orrery {

// Where an entity stands in a fact.
enum class Side { subject, object };

class FactIndex {
 public:
  // A fact of an entity: the rest of it. Sorted by relation, other entity, split and time.
  struct Entry {
    std::int32_t relation = 0, other = 0;
    Split split = Split::train;
    std::int32_t when = 0;  // as in Fact

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  explicit FactIndex(const TemporalGraph& data);

  // Facts in which an entity stands on that side.
  std::span<const Entry> facts_of(std::int32_t entity, Side side) const;
  // Those of them with one relation.
  std::span<const Entry> facts_of(std::int32_t entity, Side side, std::int32_t relation) const;
  // Entities that train has on that side of a relation, ascending.
  std::span<const std::int32_t> seen_with(std::int32_t relation, Side side) const;
  bool is_seen_with(std::int32_t relation, Side side, std::int32_t entity) const;
  // When train's facts of a relation are, ascending; as in Fact.
  std::span<const std::int32_t> moments_of(std::int32_t relation) const;

 private:
  struct Facts {
    std::vector<std::uint64_t> begin;  // entity e's entries are [begin[e], begin[e + 1])
    std::vector<Entry> entries;
  };
  const Facts& on(Side side) const { return side == Side::subject ? by_subject_ : by_object_; }
  static Facts sorted_by(const TemporalGraph& data, Side side);
  void note_seen(const TemporalGraph& data, Side side);
  void note_moments(const TemporalGraph& data);

  Facts by_subject_, by_object_;
  std::vector<std::vector<std::int32_t>> seen_subjects_, seen_objects_, moments_;  // by relation
};

}  // namespace orrery
