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

std::uint64_t FilterIndex::question_of(const Fact& fact, Direction direction) {
  const auto relation = static_cast<std::uint64_t>(fact.relation);
  const auto side = static_cast<std::uint64_t>(direction == Direction::subject);
  return (2 * relation + side) << 32 | static_cast<std::uint32_t>(fact.when);
}

// A counting sort by entity, then each entity's few entries by comparison.
FilterIndex::FilterIndex(const TemporalGraph& data)
    : row_begin_(static_cast<std::size_t>(data.entities.size()) + 1) {
  for_each_question(data, [this](const Fact& fact, Direction direction) {
    ++row_begin_[static_cast<std::size_t>(asked_with(fact, direction)) + 1];
  });
  for (std::size_t i = 1; i < row_begin_.size(); ++i) row_begin_[i] += row_begin_[i - 1];

  questions_.resize(row_begin_.back());
  answers_.resize(row_begin_.back());
  std::vector<std::uint64_t> next(row_begin_.begin(), row_begin_.end() - 1);
  for_each_question(data, [&](const Fact& fact, Direction direction) {
    const std::uint64_t at = next[static_cast<std::size_t>(asked_with(fact, direction))]++;
    questions_[at] = question_of(fact, direction);
    answers_[at] = answer_of(fact, direction);
  });
  for (std::size_t i = 0; i + 1 < row_begin_.size(); ++i)
    sort_row(row_begin_[i], row_begin_[i + 1]);
  drop_repeated_entries();
}

void FilterIndex::sort_row(std::uint64_t begin, std::uint64_t end) {
  std::vector<std::pair<std::uint64_t, std::int32_t>> row;
  row.reserve(end - begin);
  for (std::uint64_t i = begin; i < end; ++i) row.emplace_back(questions_[i], answers_[i]);
  std::sort(row.begin(), row.end());
  for (const auto& [question, answer] : row) {
    questions_[begin] = question;
    answers_[begin++] = answer;
  }
}

void FilterIndex::drop_repeated_entries() {
  std::uint64_t kept = 0, read = 0;
  for (std::size_t row = 0; row + 1 < row_begin_.size(); ++row) {
    const std::uint64_t row_start = kept;
    for (; read < row_begin_[row + 1]; ++read) {
      const bool repeated = kept > row_start && questions_[kept - 1] == questions_[read] &&
                            answers_[kept - 1] == answers_[read];
      if (repeated) continue;
      questions_[kept] = questions_[read];
      answers_[kept++] = answers_[read];
    }
    row_begin_[row] = row_start;
  }
  row_begin_.back() = kept;
  questions_.resize(kept);
  answers_.resize(kept);
}

std::span<const std::int32_t> FilterIndex::known_answers(const Fact& fact,
                                                         Direction direction) const {
  const auto row = static_cast<std::size_t>(asked_with(fact, direction));
  if (row + 1 >= row_begin_.size()) return {};
  const auto from = questions_.begin() + static_cast<std::ptrdiff_t>(row_begin_[row]);
  const auto to = questions_.begin() + static_cast<std::ptrdiff_t>(row_begin_[row + 1]);
  const auto [first, last] = std::equal_range(from, to, question_of(fact, direction));
  return std::span(answers_).subspan(static_cast<std::size_t>(first - questions_.begin()),
                                     static_cast<std::size_t>(last - first));
}

}  // namespace orrery
