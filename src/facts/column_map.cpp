#include "facts/column_map.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/spelling.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

// Titles as they stand, for messages: "'a', 'b', 'c'".
std::string listed(std::span<const std::string> titles) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(titles.size(), most); ++i)
    text += (i > 0 ? ", " : "") + shown(titles[i]);
  return titles.size() > most ? text + ", …" : text;
}

std::string nearest_of(std::span<const std::string> titles, std::string_view wanted) {
  const Spelling spelling(wanted);
  std::string nearest;
  double least = 0;
  for (const std::string& title : titles) {
    const auto difference = spelling.difference_to(title);
    if (difference && (nearest.empty() || *difference < least)) {
      nearest = title;
      least = *difference;
    }
  }
  return nearest;
}

[[noreturn]] void fail_no_title(std::span<const std::string> titles, const std::string& wanted) {
  const std::string nearest = nearest_of(titles, wanted);
  fail_request(About{.option = "columns",
                     .advice = (nearest.empty() ? "" : "did you mean " + shown(nearest) + "? ") +
                               "there are " + listed(titles)},
               "$columns: there is no column {}", shown(wanted));
}

// Finds the column of each role.
class Mapper {
 public:
  Mapper(std::span<const std::string> titles, bool undated) : titles_(titles), undated_(undated) {
    for (const std::string& title : titles) {
      folded_.push_back(folded_title(title));
      known_.push_back(known_title(folded_.back()));
    }
    taken_.resize(titles.size());
  }

  void take(const ColumnRequest& request) {
    for (const auto& [role, title, number] : request.entries) {
      const std::size_t column = number > 0 ? number - 1 : column_titled(title);
      if (column >= titles_.size())
        fail_request(About{.option = "columns"}, "$columns: there is no column {}, only {}", number,
                     titles_.size());
      if (taken_[column])
        fail_request(About{.option = "columns", .advice = "name another column for one of them"},
                     "$columns: column {} is named twice",
                     titles_[column].empty() ? std::to_string(column + 1) : shown(titles_[column]));
      taken_[column] = true;
      result_.map[role] = column;
    }
  }

  MappedColumns find() {
    place_from_and_to();
    pair_entities();
    for (const Role role : {Role::subject, Role::object, Role::end, Role::recorded, Role::expired})
      choose(role);
    choose_relation();
    choose_start();
    for (const Role role : {Role::subject, Role::relation, Role::object, Role::start})
      require(role);
    return std::move(result_);
  }

 private:
  std::size_t column_titled(const std::string& title) const {
    const auto exact = std::ranges::find(titles_, title);
    if (exact != titles_.end()) {
      if (std::ranges::count(titles_, title) > 1)
        fail_request(About{.option = "columns", .advice = "say which by its number"},
                     "$columns: several columns are called {}", shown(title));
      return static_cast<std::size_t>(exact - titles_.begin());
    }
    const std::string folded = folded_title(title);
    std::size_t found = ColumnMap::none;
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (folded_[i] != folded) continue;
      if (found != ColumnMap::none)
        fail_request(About{.option = "columns", .advice = "say which by its number"},
                     "$columns: both {} and {} are called {}", shown(titles_[found]),
                     shown(titles_[i]), shown(title));
      found = i;
    }
    if (found == ColumnMap::none) fail_no_title(titles_, title);
    return found;
  }

  bool open(Role role) const { return !result_.map.has(role); }
  bool is_candidate(std::size_t i, Role role) const {
    return !taken_[i] && known_[i] && known_[i]->role == role;
  }
  bool any(Role role) const {
    if (!open(role)) return true;
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (is_candidate(i, role)) return true;
    }
    return false;
  }

  // `from` and `to` are times where there are subject and object, and entities where there is
  // another time.
  void place_from_and_to() {
    constexpr int plain_rank = 4;
    const bool entities = any(Role::subject) && any(Role::object);
    const bool time = any(Role::start) || any(Role::recorded);
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      const bool from = folded_[i] == "from", to = folded_[i] == "to";
      if (taken_[i] || (!from && !to)) continue;
      if (entities) {
        known_[i] = KnownTitle{from ? Role::start : Role::end, 0};
      } else if (time) {
        known_[i] = KnownTitle{from ? Role::subject : Role::object, plain_rank};
      } else {
        refuse(fmt::format("the column {} may be an entity or a time", shown(titles_[i])),
               worded("say which: $columns {}={}", from ? "subject" : "object", titles_[i]));
      }
    }
  }

  // Names with names and ids with ids: of "source" and "source_uuid" beside "target_uuid" alone,
  // "source" is something else.
  void pair_entities() {
    if (!open(Role::subject) || !open(Role::object)) return;
    constexpr int ranks = 9;
    for (int rank = 0; rank < ranks; ++rank) {
      if (!has_rank(Role::subject, rank) || !has_rank(Role::object, rank)) continue;
      only_rank_[index_of(Role::subject)] = only_rank_[index_of(Role::object)] = rank;
      return;
    }
  }
  bool has_rank(Role role, int rank) const {
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (is_candidate(i, role) && known_[i]->rank == rank) return true;
    }
    return false;
  }

  // The candidate of the lowest rank; two of them are a problem.
  void choose(Role role) {
    if (!open(role)) return;
    const auto only = only_rank_[index_of(role)];
    std::size_t best = ColumnMap::none, rival = ColumnMap::none;
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (!is_candidate(i, role) || (only && known_[i]->rank != *only)) continue;
      if (best == ColumnMap::none || known_[i]->rank < known_[best]->rank) {
        best = i;
        rival = ColumnMap::none;
      } else if (known_[i]->rank == known_[best]->rank) {
        rival = i;
      }
    }
    if (rival != ColumnMap::none) refuse_both(role, best, rival);
    assign(role, best);
  }

  // In exports of agents' memories the type of an edge says nothing, and its name is the relation.
  void choose_relation() {
    const auto stands = [this](std::string_view title) {
      return std::find(folded_.begin(), folded_.end(), title) != folded_.end();
    };
    const bool memory = stands("invalid_at") || stands("expired_at") || stands("episodes");
    for (std::size_t i = 0; memory && i < titles_.size(); ++i) {
      if (folded_[i] == "type") known_[i] = std::nullopt;
    }
    choose(Role::relation);
  }

  void choose_start() {
    if (!open(Role::start)) return;
    // With an end, the start is what goes with it; without one, "date" is as good as "valid_from".
    if (open(Role::end)) {
      for (auto& known : known_) {
        if (known && known->role == Role::start && known->rank == 0) known->rank = first_point_rank;
      }
    }
    choose(Role::start);
    // What was recorded at a time and has no other was true then, as far as anyone knows.
    if (open(Role::start) && !open(Role::recorded)) {
      result_.map[Role::start] = result_.map[Role::recorded];
    }
  }

  void assign(Role role, std::size_t column) {
    if (column == ColumnMap::none) return;
    taken_[column] = true;
    result_.map[role] = column;
  }

  void require(Role role) {
    if (!open(role) || (role == Role::start && undated_)) return;
    std::vector<std::string> unknown;
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (!taken_[i]) unknown.push_back(titles_[i]);
    }
    const std::string left =
        unknown.empty() ? "" : fmt::format(", and what {} holds is not known", listed(unknown));
    refuse(fmt::format("no column is titled as the {}{}", name_of(role), left),
           worded("title it {}, …; or say which it is: $columns {}={}", accepted_titles(role),
                  name_of(role), unknown.empty() ? "NUMBER" : unknown.front()) +
               (role == Role::start
                    ? worded("; or let facts without a date hold always: $undated always")
                    : ""));
  }

  void refuse_both(Role role, std::size_t one, std::size_t other) {
    refuse(fmt::format("both {} and {} could be the {}", shown(titles_[one]), shown(titles_[other]),
                       name_of(role)),
           worded("say which: $columns {}={}", name_of(role),
                  titles_[one] == titles_[other] ? std::to_string(one + 1) : titles_[one]));
  }

  // The first reason is told.
  void refuse(std::string problem, std::string advice) {
    if (!result_.problem.empty()) return;
    result_.problem = std::move(problem);
    result_.advice = std::move(advice);
  }

  std::span<const std::string> titles_;
  bool undated_;
  std::vector<std::string> folded_;
  std::vector<std::optional<KnownTitle>> known_;
  std::vector<char> taken_;
  std::array<std::optional<int>, role_count> only_rank_;
  MappedColumns result_;
};

}  // namespace

ColumnMap default_columns(std::size_t count) {
  ColumnMap map;
  for (std::size_t i = 0; i < std::min(count, index_of(Role::end) + 1); ++i) map.column[i] = i;
  return map;
}

MappedColumns map_titles(std::span<const std::string> titles, const ColumnRequest& request,
                         bool undated) {
  Mapper mapper(titles, undated);
  mapper.take(request);
  return mapper.find();
}

MappedColumns map_numbers(std::size_t count, const ColumnRequest& request, bool undated) {
  const std::vector<std::string> untitled(count);
  Mapper mapper(untitled, undated);
  mapper.take(request);
  MappedColumns mapped = mapper.find();
  if (mapped.problem.empty()) return mapped;
  mapped.problem = worded("there is no header, and $columns does not name the {}", [&] {
    for (const Role role : all_roles) {
      if (!mapped.map.has(role)) return name_of(role);
    }
    return name_of(Role::start);
  }());
  mapped.advice = worded("without a header $columns names subject, relation, object and time");
  return mapped;
}

std::size_t known_titles(std::span<const std::string> titles) {
  std::array<bool, role_count> seen = {};
  for (const std::string& title : titles) {
    const std::string folded = folded_title(title);
    if (folded.size() < 2) continue;
    if (const auto known = known_title(folded)) seen[index_of(known->role)] = true;
    if (folded == "from") seen[index_of(Role::start)] = true;
    if (folded == "to") seen[index_of(Role::end)] = true;
  }
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
}

bool has_requested_title(std::span<const std::string> titles, const ColumnRequest& request) {
  return std::any_of(request.entries.begin(), request.entries.end(), [&](const auto& entry) {
    return entry.number == 0 &&
           std::any_of(titles.begin(), titles.end(), [&](const std::string& title) {
             return folded_title(title) == folded_title(entry.title);
           });
  });
}

}  // namespace orrery
