// Known answers: for (subject, relation, time, direction) every object that is true in any split.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/examples.h"
#include "data/temporal_graph.h"

namespace orrery {

// Compressed sparse rows: a row an entity that is asked with, its entries sorted by question and
// answer, each once. Twelve bytes an entry, so that the largest sets stay below 100 MB; where facts
// hold within intervals, the span of each is kept as well.
class FilterIndex {
 public:
  explicit FilterIndex(const TemporalGraph& data);

  // Every entity that answers the fact's question in the given direction, the fact's own answer
  // included.
  std::span<const std::int32_t> known_answers(const Fact& fact, Direction direction) const;

  // Where facts hold within intervals: appends all answers that hold at a point, ascending. A look
  // at every entry of the question, which costs less than scoring its answers.
  void append_answers_at(TimePoint point, const Fact& fact, Direction direction,
                         std::vector<std::int32_t>& answers) const;

 private:
  struct Entry {
    std::uint64_t question = 0;
    std::int32_t answer = 0;
    TimeSpan span;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct Range {
    std::size_t first = 0, last = 0;  // positions of entries, the last not included
  };

  // Relation, direction and moment in one word; without the moment where facts hold within.
  std::uint64_t question_of(const Fact& fact, Direction direction) const;
  Range entries_of(const Fact& fact, Direction direction) const;
  Entry entry(std::uint64_t at) const;
  void set_entry(std::uint64_t at, const Entry& entry);
  void sort_row(std::uint64_t begin, std::uint64_t end);
  void drop_repeated_entries();

  std::vector<std::uint64_t> row_begin_;  // entity e's entries are [row_begin_[e], row_begin_[e+1])
  std::vector<std::uint64_t> questions_;  // an entry's question …
  std::vector<std::int32_t> answers_;     // … one answer to it …
  std::vector<TimeSpan> spans_;           // … and when it holds, where facts hold within
  bool within_ = false;
};

}  // namespace orrery
