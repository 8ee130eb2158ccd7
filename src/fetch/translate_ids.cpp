#include "fetch/translate_ids.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.h"
#include "facts/byte_source.h"
#include "facts/line_reader.h"

namespace orrery {
namespace {

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The text before the first TAB, which is cut off `rest` together with it.
std::string_view next_column(std::string_view& rest) {
  const std::size_t tab = rest.find('\t');
  const std::string_view column = rest.substr(0, tab);
  rest.remove_prefix(tab == std::string_view::npos ? rest.size() : tab + 1);
  return column;
}

using Columns = std::vector<std::array<std::string, 2>>;

Columns first_two_columns(const std::filesystem::path& path, const std::string& label) {
  Columns columns;
  LineReader lines(open_bytes(path), label);
  while (lines.next()) {
    std::string_view rest = without_line_end(lines.text());
    if (rest.empty()) continue;
    std::array<std::string, 2> row;
    row[0] = next_column(rest);
    row[1] = next_column(rest);
    if (row[0].empty() || row[1].empty()) {
      fail_request(About{.place = {label, lines.number()}},
                   "a name and an id with a TAB between are expected");
    }
    columns.push_back(std::move(row));
  }
  return columns;
}

// The names in the order of their ids, if `id_column` holds 0 … n − 1, each once.
std::optional<std::vector<std::string>> names_by_id(const Columns& columns, std::size_t id_column) {
  std::vector<std::string> names(columns.size());
  for (const auto& row : columns) {
    const auto id = whole_number(row[id_column]);
    if (!id || *id >= names.size() || !names[*id].empty()) return std::nullopt;
    names[*id] = row[1 - id_column];
  }
  return names;
}

}  // namespace

IdNames::IdNames(const std::filesystem::path& path, const std::string& label) : label_(label) {
  const Columns columns = first_two_columns(path, label);
  auto names = names_by_id(columns, 1);
  if (!names) names = names_by_id(columns, 0);
  if (!names) {
    fail_request(About{.place = {label}, .advice = "is it a list of names?"},
                 "neither column holds the ids 0 to {}, each once", columns.size() - 1);
  }
  names_ = *std::move(names);
}

const std::string& IdNames::name(std::string_view id, const Place& where) const {
  const auto number = whole_number(id);
  if (!number || *number >= names_.size()) {
    fail_request(About{.place = where}, "{} has no id \"{}\"", label_, id);
  }
  return names_[*number];
}

std::string translate_ids(const std::filesystem::path& path, const std::string& label,
                          const IdNames& entities, const IdNames& relations) {
  std::string text;
  LineReader lines(open_bytes(path), label);
  while (lines.next()) {
    std::string_view rest = without_line_end(lines.text());
    if (rest.empty()) continue;
    const Place where(label, lines.number());
    text += entities.name(next_column(rest), where) + '\t';
    text += relations.name(next_column(rest), where) + '\t';
    text += entities.name(next_column(rest), where) + '\t';
    if (rest.empty())
      fail_request(About{.place = where}, "a start and an end are expected after three ids");
    text += rest;
    text += '\n';
  }
  return text;
}

}  // namespace orrery
