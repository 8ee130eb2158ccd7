// Which column of a table is the subject, which the relation, …: by titles, or as the user says.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/column_titles.h"

namespace orrery {

// "subject=source,relation=type,object=3": by title, or by number from 1.
struct ColumnRequest {
  struct Entry {
    Role role;
    std::string title;       // as given
    std::size_t number = 0;  // from 1; 0: it is a title
  };
  std::vector<Entry> entries;

  bool empty() const { return entries.empty(); }
  bool has_titles() const;
  bool has_numbers() const;
};
// A wrong text or an unknown role is a request Error of the option "columns".
ColumnRequest column_request(std::string_view text);

struct ColumnMap {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::array<std::size_t, role_count> column = {none, none, none, none, none, none, none};

  std::size_t operator[](Role role) const { return column[index_of(role)]; }
  std::size_t& operator[](Role role) { return column[index_of(role)]; }
  bool has(Role role) const { return (*this)[role] != none; }
  friend bool operator==(const ColumnMap&, const ColumnMap&) = default;
};
// Subject, relation, object, time and, of five columns, end.
ColumnMap default_columns(std::size_t count);

// A map, or why there is none.
struct MappedColumns {
  ColumnMap map;
  std::string problem, advice;  // empty: the map is complete
};
// Of titled columns. What `request` names goes first; the rest is found by titles. Where `undated`,
// there may be no time.
MappedColumns map_titles(std::span<const std::string> titles, const ColumnRequest& request,
                         bool undated);
// Of `count` columns without titles: all that is needed must be in `request`, by number.
MappedColumns map_numbers(std::size_t count, const ColumnRequest& request, bool undated);

// How many of the roles have a title here, single letters not counted.
std::size_t known_titles(std::span<const std::string> titles);
// How often the titles that `request` names stand here.
bool has_requested_title(std::span<const std::string> titles, const ColumnRequest& request);

}  // namespace orrery
