// A data set: vocabulary, time axis and three splits of facts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/timeline.h"
#include "data/vocabulary.h"

namespace orrery {

struct Fact {
  std::int32_t subject = 0;
  std::int32_t relation = 0;
  std::int32_t object = 0;
  std::int32_t when = 0;  // index into Timeline::moments

  friend auto operator<=>(const Fact&, const Fact&) = default;
};

enum class Split { train, valid, test };
inline constexpr Split all_splits[] = {Split::train, Split::valid, Split::test};
std::string_view name_of(Split split);

struct TemporalGraph {
  Vocabulary entities;
  Vocabulary relations;
  Timeline times;
  std::vector<Fact> facts[3];  // by Split

  const std::vector<Fact>& split(Split which) const { return facts[static_cast<int>(which)]; }
  // Relation rows of a model: 2|R| with reciprocals, 4|R| for intervals.
  std::int32_t relation_rows() const { return relations.size() * (times.intervals ? 4 : 2); }
};

}  // namespace orrery
