// Which titles of columns are known, and what such a column holds.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// What a column may hold. `start` is the time of a fact that has no end.
enum class Role { subject, relation, object, start, end, recorded, expired };
constexpr std::size_t role_count = 7;
inline constexpr std::array all_roles = {Role::subject, Role::relation, Role::object, Role::start,
                                         Role::end,     Role::recorded, Role::expired};
constexpr std::size_t index_of(Role role) { return static_cast<std::size_t>(role); }
// "subject", …; the start is called "time", as most data have one time only.
std::string_view name_of(Role role);
std::optional<Role> role_named(std::string_view name);  // "time" and "start" are the same

// Small letters, with one underscore for spaces, dashes, dots and the joints of camelCase;
// "Valid From (UTC)" and ":VALID_FROM" are valid_from. Only a leading underscore stays.
std::string folded_title(std::string_view title);

// Of the titles of a role those of a lower rank are better: "source_name" before "source_uuid".
struct KnownTitle {
  Role role;
  int rank;
};
// By folded title. `from` and `to` are not among them: they may be entities or times.
std::optional<KnownTitle> known_title(std::string_view folded);

// The rank from which on start titles are those of points in time ("date", not "valid_from").
constexpr int first_point_rank = 1;

// For messages: "subject, head, source, …".
std::string accepted_titles(Role role);

}  // namespace orrery
