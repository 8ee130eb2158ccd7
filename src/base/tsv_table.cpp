#include "base/tsv_table.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace orrery {
namespace {

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  while (true) {
    const auto end = line.find('\t');
    cells.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

bool is_head(const std::vector<std::string>& head, const std::vector<std::string>& columns,
             const std::vector<std::string>& optional) {
  if (head.size() < columns.size() || !std::equal(columns.begin(), columns.end(), head.begin()))
    return false;
  auto left = optional.begin();
  return std::all_of(head.begin() + static_cast<std::ptrdiff_t>(columns.size()), head.end(),
                     [&](const std::string& name) {
                       left = std::find(left, optional.end(), name);
                       if (left == optional.end()) return false;
                       ++left;
                       return true;
                     });
}

}  // namespace

double TsvRow::number(std::string_view column) const {
  const std::string& text = (*this)[column];
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number))
    fail_request(About{.place = place}, "'{}' is not a number", text);
  return number;
}

std::vector<TsvRow> read_tsv(std::string_view text, const std::string& file,
                             const std::vector<std::string>& columns,
                             const std::vector<std::string>& optional) {
  std::vector<TsvRow> rows;
  std::vector<std::string> head;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const auto cells = cells_of(line);
    if (head.empty()) {
      if (!is_head(cells, columns, optional))
        fail_request(About{.place = {file, number}}, "the head must be: {}{}{}",
                     fmt::join(columns, " TAB "), optional.empty() ? "" : ", and any of ",
                     fmt::join(optional, " TAB "));
      head = cells;
      continue;
    }
    if (cells.size() != head.size())
      fail_request(About{.place = {file, number}},
                   "has {} columns in place of {} (they are split on TAB)", cells.size(),
                   head.size());
    TsvRow& row = rows.emplace_back();
    row.place = {file, number};
    for (const std::string& name : optional) row.cells[name];
    for (std::size_t i = 0; i < head.size(); ++i) row.cells[head[i]] = cells[i];
  }
  if (head.empty()) fail_request(About{.place = {file}}, "is empty");
  return rows;
}

std::vector<std::string> split_words(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = text.find(separator);
    if (end != 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

}  // namespace orrery
