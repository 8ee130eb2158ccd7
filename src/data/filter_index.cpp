#include "data/filter_index.h"

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

std::int32_t asked_with(const Fact& fact, Direction direction) {
  return direction == Direction::object ? fact.subject : fact.object;
}

std::int32_t answer_of(const Fact& fact, Direction direction) {
  return direction == Direction::object ? fact.object : fact.subject;
}

template <class Visit>
void for_each_question(const TemporalGraph& data, const Visit& visit) {
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split)) {
      visit(fact, Direction::object);
      visit(fact, Direction::subject);
    }
  }
}

}  // namespace

std::uint64_t FilterIndex::question_of(const Fact& fact, Direction direction) const {
  const auto relation = static_cast<std::uint64_t>(fact.relation);
  const auto side = static_cast<std::uint64_t>(direction == Direction::subject);
  const std::uint32_t moment = within_ ? 0 : static_cast<std::uint32_t>(fact.when);
  return (2 * relation + side) << 32 | moment;
}

// A counting sort by entity, then each entity's few entries by comparison.
FilterIndex::FilterIndex(const TemporalGraph& data)
    : row_begin_(static_cast<std::size_t>(data.entities.size()) + 1), within_(data.times.within) {
  for_each_question(data, [this](const Fact& fact, Direction direction) {
    ++row_begin_[static_cast<std::size_t>(asked_with(fact, direction)) + 1];
  });
  for (std::size_t i = 1; i < row_begin_.size(); ++i) row_begin_[i] += row_begin_[i - 1];

  questions_.resize(row_begin_.back());
  answers_.resize(row_begin_.back());
  if (within_) spans_.resize(row_begin_.back());
  std::vector<std::uint64_t> next(row_begin_.begin(), row_begin_.end() - 1);
  for_each_question(data, [&](const Fact& fact, Direction direction) {
    const std::uint64_t at = next[static_cast<std::size_t>(asked_with(fact, direction))]++;
    set_entry(at,
              {question_of(fact, direction), answer_of(fact, direction),
               within_ ? data.times.spans.at(static_cast<std::size_t>(fact.when)) : TimeSpan()});
  });
  for (std::size_t i = 0; i + 1 < row_begin_.size(); ++i)
    sort_row(row_begin_[i], row_begin_[i + 1]);
  drop_repeated_entries();
}

FilterIndex::Entry FilterIndex::entry(std::uint64_t at) const {
  return {questions_[at], answers_[at], within_ ? spans_[at] : TimeSpan()};
}

void FilterIndex::set_entry(std::uint64_t at, const Entry& entry) {
  questions_[at] = entry.question;
  answers_[at] = entry.answer;
  if (within_) spans_[at] = entry.span;
}

void FilterIndex::sort_row(std::uint64_t begin, std::uint64_t end) {
  std::vector<Entry> row;
  row.reserve(end - begin);
  for (std::uint64_t i = begin; i < end; ++i) row.push_back(entry(i));
  std::sort(row.begin(), row.end());
  for (const Entry& sorted : row) set_entry(begin++, sorted);
}

void FilterIndex::drop_repeated_entries() {
  std::uint64_t kept = 0, read = 0;
  for (std::size_t row = 0; row + 1 < row_begin_.size(); ++row) {
    const std::uint64_t row_start = kept;
    for (; read < row_begin_[row + 1]; ++read) {
      if (kept > row_start && entry(kept - 1) == entry(read)) continue;
      set_entry(kept++, entry(read));
    }
    row_begin_[row] = row_start;
  }
  row_begin_.back() = kept;
  questions_.resize(kept);
  answers_.resize(kept);
  if (within_) spans_.resize(kept);
}

FilterIndex::Range FilterIndex::entries_of(const Fact& fact, Direction direction) const {
  const auto row = static_cast<std::size_t>(asked_with(fact, direction));
  if (row + 1 >= row_begin_.size()) return {};
  const auto from = questions_.begin() + static_cast<std::ptrdiff_t>(row_begin_[row]);
  const auto to = questions_.begin() + static_cast<std::ptrdiff_t>(row_begin_[row + 1]);
  const auto [first, last] = std::equal_range(from, to, question_of(fact, direction));
  return {static_cast<std::size_t>(first - questions_.begin()),
          static_cast<std::size_t>(last - questions_.begin())};
}

std::span<const std::int32_t> FilterIndex::known_answers(const Fact& fact,
                                                         Direction direction) const {
  const Range found = entries_of(fact, direction);
  return std::span(answers_).subspan(found.first, found.last - found.first);
}

void FilterIndex::append_answers_at(TimePoint point, const Fact& fact, Direction direction,
                                    std::vector<std::int32_t>& answers) const {
  const Range found = entries_of(fact, direction);
  const std::size_t before = answers.size();
  for (std::size_t i = found.first; i < found.last; ++i) {
    if (!spans_[i].holds(point)) continue;
    const bool repeated = answers.size() > before && answers.back() == answers_[i];
    if (!repeated) answers.push_back(answers_[i]);
  }
}

}  // namespace orrery
