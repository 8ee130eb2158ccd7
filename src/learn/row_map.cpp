#include "learn/row_map.h"

#include <algorithm>

#include "base/error.h"

namespace orrery {
namespace {

std::vector<std::int32_t> by_name(const Vocabulary& earlier, const Vocabulary& later) {
  std::vector<std::int32_t> rows;
  rows.reserve(later.names().size());
  for (const std::string& name : later.names())
    rows.push_back(earlier.find(name).value_or(RowMap::none));
  return rows;
}

std::int32_t row_holding(const Timeline& times, TimePoint point) {
  const auto row = std::ranges::lower_bound(times.rows, point, {}, &TimeRow::last);
  return row != times.rows.end() && row->first <= point
             ? static_cast<std::int32_t>(row - times.rows.begin())
             : RowMap::none;
}

}  // namespace

std::span<const std::int32_t> RowMap::of(RowOf of) const {
  switch (of) {
    case RowOf::entity:
      return entities;
    case RowOf::relation:
      return relation_rows;
    case RowOf::time:
      return times;
    case RowOf::window:
      return windows;
    default:
      fail_broken("rows of {} have no map", name_of(of));
  }
}

RowMap row_map(const ModelHeader& earlier, const ModelHeader& later) {
  RowMap map;
  map.entities = by_name(earlier.entities, later.entities);
  const auto relations = by_name(earlier.relations, later.relations);
  const RelationIds before = earlier.relation_ids(), now = later.relation_ids();
  for (std::int32_t row = 0; row < now.count(); ++row) {
    const std::int32_t relation = relations[static_cast<std::size_t>(now.relation_of(row))];
    map.relation_rows.push_back(relation == RowMap::none
                                    ? RowMap::none
                                    : relation + row / now.relations * before.relations);
  }
  for (const TimeRow& row : later.times.rows)
    map.times.push_back(row_holding(earlier.times, row.first));
  const auto window = static_cast<std::size_t>(later.options.window);
  for (std::size_t first = 0; first < map.times.size(); first += window)
    map.windows.push_back(map.times[first] == RowMap::none
                              ? RowMap::none
                              : map.times[first] / static_cast<std::int32_t>(window));
  return map;
}

void copy_known_rows(const RowMap& map, const TableSpec& table, std::span<const float> earlier,
                     std::span<float> later) {
  if (!map.maps(table.of)) {
    std::ranges::copy(earlier, later.begin());
    return;
  }
  const auto width = static_cast<std::size_t>(table.width);
  const auto rows = map.of(table.of);
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row] != RowMap::none)
      std::ranges::copy(earlier.subspan(static_cast<std::size_t>(rows[row]) * width, width),
                        later.begin() + static_cast<std::ptrdiff_t>(row * width));
}

}  // namespace orrery
