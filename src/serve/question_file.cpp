// Questions as people have them: a file with a column for each part, one question a row.
#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "facts/column_map.h"
#include "facts/open_records.h"
#include "facts/utf8.h"
#include "orrery/predict.h"

namespace orrery {
namespace {

constexpr std::array asked_roles = {Role::subject, Role::relation, Role::object, Role::start};

std::string part_of(std::string_view field) {
  return field == "?" ? std::string() : std::string(field);
}

// By the best title of each part; a header that names none of them is not one.
ColumnMap columns_of(std::span<const std::string> titles) {
  ColumnMap map;
  std::array<int, role_count> rank;
  rank.fill(std::numeric_limits<int>::max());
  for (std::size_t column = 0; column < titles.size(); ++column) {
    const auto known = known_title(folded_title(titles[column]));
    if (!known || std::ranges::find(asked_roles, known->role) == asked_roles.end()) continue;
    if (known->rank >= rank[index_of(known->role)]) continue;
    rank[index_of(known->role)] = known->rank;
    map[known->role] = column;
  }
  return map;
}

class QuestionReader {
 public:
  explicit QuestionReader(const std::string& source) : records_(open_records(source)) {
    const auto titles = records_.reader->titles();
    if (titles.empty()) return;
    columns_ = columns_of(titles);
    if (columns_ == ColumnMap()) fail_untitled(0);
    decided_ = true;
  }

  std::vector<Question> read() {
    std::vector<Question> questions;
    Record record;
    while (records_.reader->next(record)) {
      if (record.problem != nullptr)
        fail_request(About{.place = {records_.name, record.line}}, "{}", record.problem);
      if (record.blank()) continue;
      if (!decided_ && decide_by(record)) continue;
      questions.push_back(question_of(record));
    }
    if (questions.empty()) fail_request(About{.place = {records_.name}}, "holds no question");
    return questions;
  }

 private:
  [[noreturn]] void fail_untitled(std::uint64_t line) const {
    fail_request(About{.place = {records_.name, line},
                       .advice = "give columns the titles subject, relation, object and time, or "
                                 "have them in that order"},
                 "no column is a part of a question");
  }

  // True: the row is a header.
  bool decide_by(const Record& record) {
    decided_ = true;
    const std::vector<std::string> first(record.fields.begin(), record.fields.end());
    if (known_titles(first) >= 2) {
      columns_ = columns_of(first);
      return true;
    }
    if (first.size() < 2 || first.size() > asked_roles.size()) fail_untitled(record.line);
    for (std::size_t i = 0; i < first.size(); ++i) columns_[asked_roles[i]] = i;
    return false;
  }

  Question question_of(const Record& record) const {
    const auto field = [&](Role role) {
      const std::size_t column = columns_[role];
      return column < record.fields.size() ? part_of(record.fields[column]) : std::string();
    };
    return {.subject = field(Role::subject),
            .relation = field(Role::relation),
            .object = field(Role::object),
            .time = field(Role::start),
            .place = {records_.name, record.line}};
  }

  OpenedRecords records_;
  ColumnMap columns_;
  bool decided_ = false;
};

}  // namespace

std::vector<Question> read_questions(const std::string& source) {
  return QuestionReader(source).read();
}

}  // namespace orrery
