// What a fact is.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace orrery {

struct Fact {
  std::int32_t subject = 0;
  std::int32_t relation = 0;
  std::int32_t object = 0;
  std::int32_t when = 0;  // Dataset::moment() gives its times

  friend auto operator<=>(const Fact&, const Fact&) = default;
};

// The times of a fact's start and end, by id; for point facts both are the same.
struct Moment {
  static constexpr std::int32_t unknown = -1;  // an open side of an interval
  std::int32_t start = 0;
  std::int32_t end = 0;
};

// Ids of a relation's embeddings: one for each direction (the reciprocal one answers for the
// subject). Where interval facts are read by their ends, each has one for starts and one for ends.
struct RelationIds {
  std::int32_t relations = 0;
  bool ends = false;

  std::int32_t count() const { return relations * (ends ? 4 : 2); }
  std::int32_t id(std::int32_t relation, bool reciprocal, bool end = false) const {
    return relation + (end ? relations : 0) + (reciprocal ? count() / 2 : 0);
  }
  // Of such an id: the relation, and whether it answers for the subject.
  std::int32_t relation_of(std::int32_t id) const { return id % relations; }
  bool is_reciprocal(std::int32_t id) const { return id >= count() / 2; }
};

enum class Split { train, valid, test };
inline constexpr Split all_splits[] = {Split::train, Split::valid, Split::test};
std::string_view name_of(Split split);
// An unknown name is a request Error.
Split split_named(std::string_view name);

}  // namespace orrery
