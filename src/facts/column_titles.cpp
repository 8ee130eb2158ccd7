#include "facts/column_titles.h"

#include <cctype>

namespace orrery {
namespace {

struct Group {
  Role role;
  int rank;
  std::string_view titles;  // one space between them
};

// Ranks of subject and object go together: an object is looked for beside a subject of its rank.
constexpr Group groups[] = {
    {Role::subject, 0, "subject_name subject_label head_name head_label"},
    {Role::subject, 1, "subject head s subj subjekt head_entity subject_entity"},
    {Role::subject, 2, "subject_id head_id subject_uuid head_uuid"},
    {Role::subject, 3,
     "source_name source_node_name source_label source_entity_name from_node_name from_name "
     "start_node_name src_name"},
    {Role::subject, 4,
     "source source_node source_entity from_node from_entity start_node src quelle"},
    {Role::subject, 5,
     "source_id source_uuid source_node_id source_node_uuid from_id from_node_id start_id "
     "start_node_id _start src_id"},
    {Role::subject, 6, "actor1_name actor_1_name actor_name"},
    {Role::subject, 7, "actor1 actor_1 actor sender"},

    {Role::object, 0, "object_name object_label tail_name tail_label"},
    {Role::object, 1, "object tail o obj objekt tail_entity object_entity"},
    {Role::object, 2, "object_id tail_id object_uuid tail_uuid"},
    {Role::object, 3,
     "target_name target_node_name target_label target_entity_name to_node_name to_name "
     "end_node_name dst_name"},
    {Role::object, 4,
     "target target_node target_entity to_node to_entity end_node dst dest destination ziel"},
    {Role::object, 5,
     "target_id target_uuid target_node_id target_node_uuid to_id to_node_id end_id end_node_id "
     "_end dst_id"},
    {Role::object, 6, "actor2_name actor_2_name"},
    {Role::object, 7, "actor2 actor_2 recipient receiver"},
    {Role::object, 8, "value"},

    {Role::relation, 0,
     "relation_name relation_label predicate_name predicate_label property_label"},
    {Role::relation, 1, "relation predicate p r rel beziehung prädikat praedikat"},
    {Role::relation, 2, "relation_id predicate_id relation_uuid"},
    {Role::relation, 3,
     "relationship relationship_type relationship_name relation_type rel_type edge_type "
     "edge_label edge_name"},
    {Role::relation, 4, "event_text event_name"},
    {Role::relation, 5, "event event_type action verb"},
    {Role::relation, 6, "event_code property property_id edge"},
    {Role::relation, 7, "name type"},
    {Role::relation, 8, "_type label"},

    {Role::start, 0,
     "start start_date start_time start_year valid_at valid_from valid_since since begin "
     "begin_date begin_time begin_year begins_at starts_at started_at from_date from_time von "
     "beginn startdatum gültig_ab gueltig_ab gültig_von gueltig_von"},
    {Role::start, first_point_rank,
     "time date timestamp datetime date_time when event_date event_time occurred_at happened_at "
     "point_in_time sqldate datum zeit zeitpunkt"},
    {Role::start, first_point_rank + 1, "year jahr"},

    {Role::end, 0,
     "end end_date end_time end_year valid_to valid_until valid_till invalid_at until till "
     "ended_at ends_at stop stop_date finish to_date to_time bis ende enddatum gültig_bis "
     "gueltig_bis"},

    {Role::recorded, 0, "created_at recorded_at"},
    {Role::recorded, 1,
     "created recorded created_on ingested_at inserted_at transaction_time erstellt_am "
     "erfasst_am"},

    {Role::expired, 0, "expired_at"},
    {Role::expired, 1, "expired superseded_at retracted_at deleted_at"},
};

// Calls `take` with each word; stops when it says so.
template <class Take>
bool any_word(std::string_view words, const Take& take) {
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    if (take(words.substr(0, end))) return true;
    words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
  }
  return false;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string_view name_of(Role role) {
  constexpr std::array<std::string_view, role_count> names = {
      "subject", "relation", "object", "time", "end", "recorded", "expired"};
  return names[index_of(role)];
}

std::optional<Role> role_named(std::string_view name) {
  if (name == "start") return Role::start;
  for (const Role role : all_roles) {
    if (name == name_of(role)) return role;
  }
  return std::nullopt;
}

std::string folded_title(std::string_view title) {
  while (title.starts_with(':') || title.starts_with(' ')) title.remove_prefix(1);
  title = title.substr(0, title.find_first_of("(:["));
  std::string folded;
  char before = ' ';
  for (const char c : title) {
    const bool joint = std::string_view(" _-./\t").find(c) != std::string_view::npos;
    const bool hump = is_upper(c) && is_lower_or_digit(before);
    if ((joint || hump) && !folded.ends_with('_')) folded += '_';
    if (!joint) folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    before = c;
  }
  while (folded.ends_with('_')) folded.pop_back();
  return folded;
}

std::optional<KnownTitle> known_title(std::string_view folded) {
  for (const Group& group : groups) {
    if (any_word(group.titles, [&](std::string_view word) { return word == folded; }))
      return KnownTitle{group.role, group.rank};
  }
  return std::nullopt;
}

std::string accepted_titles(Role role) {
  constexpr std::size_t most_shown = 12;
  std::string text;
  std::size_t shown = 0;
  // The plain titles are those people look for.
  for (const Group& group : groups) {
    if (group.role != role || group.titles.find("_label") != std::string_view::npos) continue;
    any_word(group.titles, [&](std::string_view word) {
      if (shown++ < most_shown) text += (text.empty() ? "" : ", ") + std::string(word);
      return shown >= most_shown;
    });
  }
  return text;
}

}  // namespace orrery
