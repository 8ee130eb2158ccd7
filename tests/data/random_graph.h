// Small random data sets, built without files.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/temporal_graph.h"

namespace orrery::testing {

inline Vocabulary numbered_names(const char* stem, std::int32_t count) {
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{:03}", stem, i));
  return Vocabulary(std::move(names));
}

// So few names that questions have several answers and facts repeat.
inline TemporalGraph random_graph(std::uint64_t seed, bool intervals, std::uint32_t facts = 600) {
  constexpr std::uint32_t entities = 12, relations = 3, rows = 4;
  TemporalGraph data;
  data.entities = numbered_names("e", entities);
  data.relations = numbered_names("r", relations);
  data.times.granularity = Granularity::year;
  data.times.intervals = intervals;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(rows); ++i) {
    data.times.rows.push_back({i, i, std::to_string(i)});
    if (!intervals) data.times.moments.push_back({i, i});
  }
  if (intervals) {
    for (std::int32_t start = -1; start < 4; ++start) {
      for (std::int32_t end = start < 0 ? 0 : -1; end < 4; ++end) {
        data.times.moments.push_back({start, end});
      }
    }
  }
  for (const Moment& moment : data.times.moments) {
    data.times.moment_names.push_back(fmt::format("{}\t{}", moment.start, moment.end));
  }
  const auto moments = static_cast<std::uint32_t>(data.times.moments.size());
  for (std::uint64_t i = 0; i < facts; ++i) {
    const auto draw = [&](std::uint64_t what, std::uint32_t bound) {
      return static_cast<std::int32_t>(random_below(seed * 10 + what, i, bound));
    };
    data.facts[i % 10 < 8 ? 0 : i % 10 - 7].push_back(
        {draw(1, entities), draw(2, relations), draw(3, entities), draw(4, moments)});
  }
  return data;
}

}  // namespace orrery::testing
