#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "page/plot.h"
#include "page/plot_frame.h"

namespace orrery {
namespace {

constexpr std::size_t most_rows = 100;

using Row = std::vector<std::string>;

std::string value_text(const Series& series, std::size_t point) {
  const double deviation = deviation_at(series, point);
  const std::string value = number_text(series.y[point]);
  return std::isnan(deviation) ? value : fmt::format("{} ± {}", value, number_text(deviation, 2));
}

std::string or_else(const std::string& text, const char* other) {
  return text.empty() ? other : text;
}

Table one_by_one(const Plot& plot) {
  Table table{"", {"series", or_else(plot.x.label, "x"), or_else(plot.y.label, "y")}, {}};
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      table.rows.push_back({series.name, number_text(series.x[i]), value_text(series, i)});
  return table;
}

Table side_by_side(const Plot& plot) {
  Table table{"", {or_else(plot.x.label, "x")}, {}};
  // A line may come back to the same x: its second value there stands in a second row.
  std::map<std::pair<double, std::size_t>, Row> rows;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    const char* only =
        plot.series.size() == 1 && !plot.y.label.empty() ? plot.y.label.c_str() : "y";
    table.columns.push_back(or_else(series.name, only));
    std::map<double, std::size_t> visits;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isnan(series.x[i])) continue;
      Row& row = rows[{series.x[i], visits[series.x[i]]++}];
      row.resize(plot.series.size() + 1);
      row[0] = number_text(series.x[i]);
      row[s + 1] = value_text(series, i);
    }
  }
  for (auto& [key, row] : rows) table.rows.push_back(std::move(row));
  return table;
}

}  // namespace

Table points_table(const Plot& plot) {
  Table table = plot.kind == Plot::Kind::scatter ? one_by_one(plot) : side_by_side(plot);
  const std::size_t all = table.rows.size(), every = (all + most_rows - 1) / most_rows;
  if (every < 2) return table;
  std::vector<Row> some;
  for (std::size_t i = 0; i < all; ++i)
    if (i % every == 0 || i + 1 == all) some.push_back(std::move(table.rows[i]));
  table.caption = fmt::format("{} of {} points", some.size(), all);
  table.rows = std::move(some);
  return table;
}

}  // namespace orrery
