#include "data/time_axis_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "page/text_table.h"

namespace orrery {
namespace {

constexpr std::uint64_t stated_percent = 90;
constexpr std::uint64_t fewest_facts_a_time = 2;
constexpr std::uint64_t fewest_facts_to_choose = 50;

// Of dates no coarser than `stated`: the others have no time of their own on the axis.
std::uint64_t facts_in(std::span<const CountedDate> dates, Granularity stated) {
  std::uint64_t facts = 0;
  for (const CountedDate& counted : dates)
    facts += counted.date.finest() <= stated ? counted.facts : 0;
  return facts;
}

std::uint64_t times_in(std::span<const CountedDate> dates, Granularity stated,
                       Granularity granularity) {
  std::vector<TimePoint> points;
  points.reserve(dates.size());
  for (const CountedDate& counted : dates) {
    if (counted.facts > 0 && counted.date.finest() <= stated)
      points.push_back(time_point(counted.date, granularity));
  }
  std::ranges::sort(points);
  return static_cast<std::uint64_t>(std::unique(points.begin(), points.end()) - points.begin());
}

std::string rate(std::uint64_t facts, std::uint64_t times) {
  const double mean =
      static_cast<double>(facts) / static_cast<double>(std::max<std::uint64_t>(times, 1));
  return mean < 10 ? fmt::format("{:.1f}", mean) : grouped(static_cast<std::uint64_t>(mean + 0.5));
}

std::string_view article(Granularity granularity) {
  return granularity == Granularity::hour ? "an" : "a";
}

std::string density(std::uint64_t facts, std::uint64_t times, Granularity granularity) {
  return fmt::format("{} on {}, {} {} {}", counted(facts, "fact"),
                     counted(times, name_of(granularity)), rate(facts, times), article(granularity),
                     name_of(granularity));
}

// Of 12,000 made events in 200 days, read by the hour, day, week and month, validation MRR is 1,
// 11, 34 and 36 %: a time must show enough of what goes on.
std::uint64_t enough_events_a_time(std::uint64_t facts) {
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(facts)));
  return std::clamp<std::uint64_t>(root, fewest_facts_a_time, 100);
}

}  // namespace

Granularity stated_precision(std::span<const CountedDate> dates) {
  std::array<std::uint64_t, all_granularities.size()> facts = {};
  for (const CountedDate& counted : dates)
    facts[static_cast<std::size_t>(counted.date.finest())] += counted.facts;
  const std::uint64_t all = facts_in(dates, Granularity::decade);
  std::uint64_t as_fine = 0;
  for (const Granularity granularity : all_granularities) {
    as_fine += facts[static_cast<std::size_t>(granularity)];
    if (as_fine > 0 && 100 * as_fine >= stated_percent * all) return granularity;
  }
  return Granularity::year;
}

GranularityChoice choose_granularity(std::span<const CountedDate> dates, bool intervals) {
  const Granularity stated = stated_precision(dates);
  const std::uint64_t facts = facts_in(dates, stated);
  const std::uint64_t enough = intervals ? fewest_facts_a_time : enough_events_a_time(facts);
  const std::uint64_t stated_times = times_in(dates, stated, stated);
  GranularityChoice choice{
      stated, fmt::format("{}: {}", name_of(stated), density(facts, stated_times, stated))};
  if (facts < fewest_facts_to_choose || facts >= enough * stated_times) return choice;
  for (const Granularity granularity : all_granularities) {
    if (granularity <= stated || granularity > Granularity::year) continue;
    const std::uint64_t times = times_in(dates, stated, granularity);
    if (times < 2 || facts < fewest_facts_a_time * times) continue;
    choice = {granularity,
              fmt::format("{}: {}, but only {} {} {}", name_of(granularity),
                          density(facts, times, granularity), rate(facts, stated_times),
                          article(stated), name_of(stated))};
    if (facts >= enough * times) break;
  }
  return choice;
}

}  // namespace orrery
