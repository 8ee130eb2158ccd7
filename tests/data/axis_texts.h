// Interval texts for a time axis, and the labels of its rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/time_axis.h"

namespace orrery::testing {

using Labels = std::vector<std::string>;

inline DatedText interval(const std::string& start, const std::string& end,
                          std::uint64_t train_facts = 1) {
  return {start + "\t" + end, parse_date(start), parse_date(end), train_facts};
}

inline Labels labels(const Timeline& timeline) {
  Labels result;
  for (const TimeRow& row : timeline.rows) result.push_back(row.label);
  return result;
}

}  // namespace orrery::testing
