#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/spelling.h"
#include "facts/column_map.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

constexpr std::string_view example = "subject=source,relation=type,object=target,time=valid_at";

[[noreturn]] void fail_columns(const std::string& message, std::string advice) {
  fail_request(About{.option = "columns", .advice = std::move(advice)}, "{}", message);
}

Role role_of(std::string_view name) {
  if (const auto role = role_named(name)) return *role;
  const Spelling spelling(name);
  std::string nearest;
  double least = 0;
  for (const Role role : all_roles) {
    const auto difference = spelling.difference_to(name_of(role));
    if (difference && (nearest.empty() || *difference < least)) {
      nearest = name_of(role);
      least = *difference;
    }
  }
  fail_columns(worded("$columns: {} is no part of a fact", shown(name)),
               (nearest.empty() ? "" : "did you mean " + nearest + "? ") +
                   std::string("there are subject, relation, object, time (or start), end, "
                               "recorded and expired"));
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool ColumnRequest::has_titles() const {
  return std::any_of(entries.begin(), entries.end(),
                     [](const Entry& entry) { return entry.number == 0; });
}

bool ColumnRequest::has_numbers() const {
  return std::any_of(entries.begin(), entries.end(),
                     [](const Entry& entry) { return entry.number > 0; });
}

ColumnRequest column_request(std::string_view text) {
  ColumnRequest request;
  while (!trimmed(text).empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = trimmed(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const std::size_t equals = part.find('=');
    const std::string_view title =
        equals == std::string_view::npos ? std::string_view() : trimmed(part.substr(equals + 1));
    if (title.empty())
      fail_columns(worded("$columns: {} says nothing", shown(part)),
                   worded("write $columns {}, by title or by number from 1", example));
    ColumnRequest::Entry entry{role_of(trimmed(part.substr(0, equals))), std::string(title), 0};
    for (const auto& other : request.entries) {
      if (other.role == entry.role)
        fail_columns(worded("$columns names the {} twice", name_of(entry.role)), "name it once");
    }
    const auto [end, error] =
        std::from_chars(title.data(), title.data() + title.size(), entry.number);
    const bool is_number = error == std::errc() && end == title.data() + title.size();
    if (is_number && entry.number == 0)
      fail_columns(worded("$columns: columns are numbered from 1"), "the first column is 1");
    if (!is_number) entry.number = 0;
    request.entries.push_back(std::move(entry));
  }
  return request;
}

}  // namespace orrery
