// How well a model knows when its training facts hold, asked as people ask: who, at this time?
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "orrery/model.h"

namespace orrery::testing {

// Shares of right first answers; any fact that holds then counts as right.
struct HeldAnswers {
  double start = 0, middle = 0, end = 0;
  // Of facts that have ended while another holds: the share that still is the first answer, in the
  // time right after the end and half way to the last time.
  double after_end = 0, later = 0;
  int facts = 0, ended = 0;
};

class HeldFacts {
 public:
  explicit HeldFacts(const Dataset& data) : data_(data) {
    for (const Fact& fact : data.facts(Split::train)) {
      const auto [first, last] = rows_of(fact);
      for (std::int32_t row = first; row <= last; ++row)
        held_.insert({fact.subject, fact.relation, row, fact.object});
    }
  }

  HeldAnswers asked_of(const Model& model) const {
    std::vector<Asked> asked;
    for (const Fact& fact : data_.facts(Split::train)) {
      const auto [first, last] = rows_of(fact);
      asked.push_back({fact, first, &HeldAnswers::start});
      asked.push_back({fact, (first + last) / 2, &HeldAnswers::middle});
      asked.push_back({fact, last, &HeldAnswers::end});
      if (replaced(fact, last + 1)) asked.push_back({fact, last + 1, &HeldAnswers::after_end});
      const std::int32_t later = (last + data_.times()) / 2;
      if (replaced(fact, later)) asked.push_back({fact, later, &HeldAnswers::later});
    }
    std::vector<Question> questions;
    for (const Asked& one : asked)
      questions.push_back({name(one.fact.subject), relation(one.fact.relation), "",
                           data_.time_names()[static_cast<std::size_t>(one.row)]});
    const std::vector<Answers> answers = model.predict(questions, {.top = 1});
    HeldAnswers sums;
    int later = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto& [fact, row, part] = asked[i];
      const std::int32_t first = *data_.find_entity(answers[i][0].name);
      const bool ended = part == &HeldAnswers::after_end || part == &HeldAnswers::later;
      sums.*part += ended ? first == fact.object : holds(fact, row, first);
      sums.facts += part == &HeldAnswers::start;
      sums.ended += part == &HeldAnswers::after_end;
      later += part == &HeldAnswers::later;
    }
    for (const auto part : {&HeldAnswers::start, &HeldAnswers::middle, &HeldAnswers::end})
      sums.*part /= sums.facts;
    sums.after_end /= std::max(1, sums.ended);
    sums.later /= std::max(1, later);
    return sums;
  }

 private:
  struct Asked {
    Fact fact;
    std::int32_t row;
    double HeldAnswers::*part;
  };

  std::pair<std::int32_t, std::int32_t> rows_of(const Fact& fact) const {
    const Moment moment = data_.moment(fact);
    return {moment.start == Moment::unknown ? 0 : moment.start,
            moment.end == Moment::unknown ? data_.times() - 1 : moment.end};
  }
  bool holds(const Fact& fact, std::int32_t row, std::int32_t object) const {
    return held_.contains({fact.subject, fact.relation, row, object});
  }
  bool replaced(const Fact& fact, std::int32_t row) const {
    if (row >= data_.times() || holds(fact, row, fact.object)) return false;
    const auto next = held_.lower_bound({fact.subject, fact.relation, row, 0});
    return next != held_.end() && std::get<0>(*next) == fact.subject &&
           std::get<1>(*next) == fact.relation && std::get<2>(*next) == row;
  }
  const std::string& name(std::int32_t id) const {
    return data_.entity_names()[static_cast<std::size_t>(id)];
  }
  const std::string& relation(std::int32_t id) const {
    return data_.relation_names()[static_cast<std::size_t>(id)];
  }

  const Dataset& data_;
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>> held_;
};

// People who move on: from firm to firm, town to town and role to role, one after the other, and
// in and out of clubs, several at a time. What lasts at the end of 2023 has no end yet.
inline FactColumns working_lives(std::uint64_t seed, std::uint32_t people) {
  constexpr int last_month = 24 * 12;
  FactColumns facts;
  std::uint64_t draws = 0;
  const auto below = [&](std::uint32_t bound) { return random_below(seed, draws++, bound); };
  const auto date = [](int month) {
    return fmt::format("{}-{:02}-01", 2000 + month / 12, month % 12 + 1);
  };
  const auto day_before = [](int month) {  // the last of the month before
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int ended = month - 1, year = 2000 + ended / 12;
    const int leap = ended % 12 == 1 && year % 4 == 0 ? 1 : 0;
    return fmt::format("{}-{:02}-{:02}", year, ended % 12 + 1, days[ended % 12] + leap);
  };
  const auto add = [&](const std::string& who, const char* relation, const std::string& what,
                       int from, int to) {
    facts.subject.push_back(who);
    facts.relation.emplace_back(relation);
    facts.object.push_back(what);
    facts.time.push_back(date(from));
    facts.end.push_back(to >= last_month ? "" : day_before(to));
  };
  const auto move_on = [&](const std::string& who, const char* relation, const char* of,
                           std::uint32_t kinds, std::uint32_t months) {
    std::uint32_t before = kinds;
    for (int from = static_cast<int>(below(60)); from < last_month;) {
      std::uint32_t what = below(kinds);
      if (what == before) what = (what + 1) % kinds;
      before = what;
      const int to = from + 6 + static_cast<int>(below(months));
      add(who, relation, fmt::format("{} {}", of, what), from, to);
      from = to;
    }
  };
  for (std::uint32_t i = 0; i < people; ++i) {
    const std::string who = fmt::format("person {}", i);
    move_on(who, "works for", "firm", 40, 96);
    move_on(who, "lives in", "town", 30, 120);
    move_on(who, "works as", "role", 10, 120);
    for (int club = 0; club < 2; ++club) {
      const int from = static_cast<int>(below(last_month - 12));
      add(who, "is member of", fmt::format("club {}", below(20)), from,
          from + 6 + static_cast<int>(below(150)));
    }
  }
  return facts;
}

}  // namespace orrery::testing
