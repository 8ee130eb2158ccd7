#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "page/plot.h"
#include "page/plot_frame.h"

namespace orrery {
namespace {

constexpr std::size_t most_rows = 100;

using Row = std::vector<std::string>;

// Decimals that all numbers of a column share, so that they stand under each other.
class Decimals {
 public:
  void see(std::span<const double> numbers) {
    for (const double number : numbers)
      if (std::isfinite(number) && number != 0) seen_.push_back(number);
  }

  // As many as the largest has among its first digits, less the zeros in which all end. Nothing
  // where the smallest would lose its digits, or powers of ten are shorter.
  std::optional<int> count() const {
    constexpr double apart = 1e4, longest = 1e6;
    if (seen_.empty()) return {};
    const auto size = [](double number) { return std::abs(number); };
    const auto [least, most] = std::ranges::minmax(seen_, {}, size);
    const double largest = size(most);
    if (largest > apart * size(least) || largest >= longest || largest * longest < 1) return {};
    const int digits = largest < 100 ? 4 : 6;
    int count = std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(largest))));
    while (count > 0 && all_end_in_zero(count)) --count;
    return count;
  }

 private:
  bool all_end_in_zero(int decimals) const {
    return std::ranges::all_of(seen_, [&](double number) {
      return fmt::format("{:.{}f}", number, decimals).ends_with('0');
    });
  }

  std::vector<double> seen_;
};

std::string value_text(double value, double deviation, std::optional<int> decimals) {
  const auto text = [&](double number, int digits) {
    return decimals && std::isfinite(number) ? fmt::format("{:.{}f}", number, *decimals)
                                             : number_text(number, digits);
  };
  return std::isnan(deviation) ? text(value, 4)
                               : fmt::format("{} ± {}", text(value, 4), text(deviation, 2));
}

std::string or_else(const std::string& text, const char* other) {
  return text.empty() ? other : text;
}

Table one_by_one(const Plot& plot) {
  Table table{"", {"series", or_else(plot.x.label, "x"), or_else(plot.y.label, "y")}, {}};
  Decimals of_x, of_y;
  for (const Series& series : plot.series) {
    of_x.see(series.x);
    of_y.see(series.y);
    of_y.see(series.deviation);
  }
  const auto x_decimals = of_x.count(), y_decimals = of_y.count();
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      table.rows.push_back({series.name, value_text(series.x[i], NAN, x_decimals),
                            value_text(series.y[i], deviation_at(series, i), y_decimals)});
  return table;
}

std::string text_at(const Axis& axis, double x) {
  const auto mark = std::ranges::lower_bound(axis.marks, x, {}, &Mark::at);
  return mark != axis.marks.end() && mark->at == x ? mark->text : number_text(x);
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
    Decimals of_y;
    of_y.see(series.y);
    of_y.see(series.deviation);
    const auto decimals = of_y.count();
    std::map<double, std::size_t> visits;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isnan(series.x[i])) continue;
      Row& row = rows[{series.x[i], visits[series.x[i]]++}];
      row.resize(plot.series.size() + 1);
      row[0] = text_at(plot.x, series.x[i]);
      row[s + 1] = value_text(series.y[i], deviation_at(series, i), decimals);
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
