#include "data/timeline.h"

#include <algorithm>

#include "base/error.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

// Labels come first: "2014-W17" and "1926..1931" are no dates but what tables show.
std::optional<std::int32_t> labelled_row(const Timeline& times, std::string_view text) {
  const auto found = std::ranges::find(times.rows, text, &TimeRow::label);
  if (found == times.rows.end()) return {};
  return static_cast<std::int32_t>(found - times.rows.begin());
}

}  // namespace

Moment Timeline::rows_of(const Fact& fact) const {
  const Moment moment = moments.at(static_cast<std::size_t>(fact.when));
  return {moment.start == Moment::unknown ? 0 : moment.start,
          moment.end == Moment::unknown ? size() - 1 : moment.end};
}

Moment Timeline::rows_around(const TimeSpan& span) const {
  return {span.has_start() ? nearest_row_to(span.first) : Moment::unknown,
          span.has_end() ? nearest_row_to(span.last) : Moment::unknown};
}

std::int32_t Timeline::nearest_row(std::string_view text) const {
  if (const auto labelled = labelled_row(*this, text)) return *labelled;
  const ParsedDate parsed = parse_date(text);
  if (parsed.kind != ParsedDate::Kind::date) {
    const std::string range = rows.empty() ? ""
                                           : fmt::format(" (the data runs from {} to {})",
                                                         rows.front().label, rows.back().label);
    fail_request(
        About{.option = "time",
              .advice = worded("write one like 2014-04-25, 2014-04, 2014 or -431{}", range)},
        "{} is not a date", shown(text));
  }
  return nearest_row_to(time_point(parsed.date, granularity));
}

std::optional<std::int32_t> Timeline::find_row(std::string_view text) const {
  if (const auto labelled = labelled_row(*this, text)) return labelled;
  const ParsedDate parsed = parse_date(text);
  if (parsed.kind != ParsedDate::Kind::date || rows.empty()) return {};
  const TimePoint point = time_point(parsed.date, granularity);
  const std::int32_t row = nearest_row_to(point);
  const TimeRow& nearest = rows[static_cast<std::size_t>(row)];
  if (point < nearest.first || point > nearest.last) return {};
  return row;
}

std::int32_t Timeline::nearest_row_to(TimePoint point) const {
  if (rows.empty())
    fail_request(About{.option = "time"},
                 "the data has no time at all, so no date can be looked up");
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), point,
                       [](TimePoint wanted, const TimeRow& row) { return wanted < row.first; });
  if (after == rows.begin()) return 0;
  const auto before = after - 1;
  const bool later_is_nearer =
      after != rows.end() && point > before->last && after->first - point < point - before->last;
  return static_cast<std::int32_t>((later_is_nearer ? after : before) - rows.begin());
}

}  // namespace orrery
