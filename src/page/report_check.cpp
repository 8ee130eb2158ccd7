#include "page/report_check.h"

#include <fmt/format.h>

#include "base/error.h"

namespace orrery {
namespace {

std::string fault_of_block(const Heading&) { return {}; }
std::string fault_of_block(const Paragraph&) { return {}; }

std::string fault_of_block(const Table& table) {
  if (table.columns.empty()) return "a table without columns";
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    if (table.rows[r].size() != table.columns.size())
      return fmt::format("row {} of a table has {} cells under a head of {}", r + 1,
                         table.rows[r].size(), table.columns.size());
  for (const std::size_t row : table.bold_rows)
    if (row >= table.rows.size())
      return fmt::format("row {} is to be bold in a table of {} rows (they count from 0)", row,
                         table.rows.size());
  return {};
}

std::string fault_of_block(const Plot& plot) {
  if (plot.series.size() > most_series)
    return fmt::format("a plot has {} series; more than {} cannot be told apart",
                       plot.series.size(), most_series);
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    if (series.x.size() != series.y.size())
      return fmt::format("series {} of a plot has {} x and {} y", s + 1, series.x.size(),
                         series.y.size());
    if (!series.deviation.empty() && series.deviation.size() != series.y.size())
      return fmt::format("series {} of a plot has {} deviations of {} points", s + 1,
                         series.deviation.size(), series.y.size());
  }
  return {};
}

}  // namespace

std::string fault_of(const Report& report) {
  for (std::size_t b = 0; b < report.blocks.size(); ++b) {
    const std::string fault =
        std::visit([](const auto& block) { return fault_of_block(block); }, report.blocks[b]);
    if (!fault.empty()) return fmt::format("block {}: {}", b + 1, fault);
  }
  return {};
}

void check_report(const Report& report) {
  if (const std::string fault = fault_of(report); !fault.empty())
    fail_broken("a report is inconsistent: {}", fault);
}

}  // namespace orrery
