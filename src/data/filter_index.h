// Known answers: for (subject, relation, moment, direction) every object that is true in any split.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/examples.h"
#include "data/temporal_graph.h"

namespace orrery {

// Compressed sparse rows: a row an entity that is asked with, its entries sorted by question and
// answer, each once. Twelve bytes an entry, so that the largest sets stay below 100 MB.
class FilterIndex {
 public:
  explicit FilterIndex(const TemporalGraph& data);

  // Every entity that answers the fact's question in the given direction, the fact's own answer
  // included.
  std::span<const std::int32_t> known_answers(const Fact& fact, Direction direction) const;

 private:
  // Relation, direction and moment in one word.
  static std::uint64_t question_of(const Fact& fact, Direction direction);
  void sort_row(std::uint64_t begin, std::uint64_t end);
  void drop_repeated_entries();

  std::vector<std::uint64_t> row_begin_;  // entity e's entries are [row_begin_[e], row_begin_[e+1])
  std::vector<std::uint64_t> questions_;  // an entry's question …
  std::vector<std::int32_t> answers_;     // … and one answer to it
};

}  // namespace orrery
