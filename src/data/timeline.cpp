#include "data/timeline.h"

#include <algorithm>

#include "base/error.h"
#include "facts/date_form.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

// Labels come first: "2014-W17" and "1926..1931" are no dates but what tables show.
std::optional<std::int32_t> labelled_row(const Timeline& times, std::string_view text) {
  const auto found = std::ranges::find(times.rows, text, &TimeRow::label);
  if (found == times.rows.end()) return {};
  return static_cast<std::int32_t>(found - times.rows.begin());
}

// One text alone: long integers are compact dates or Unix time, unless the axis itself counts in
// integers that long.
ParsedDate asked_date(const Timeline& times, std::string_view text) {
  constexpr TimePoint most_calendar_year = 9999;
  const bool counts = times.granularity == Granularity::year && !times.rows.empty() &&
                      times.rows.back().last > most_calendar_year;
  DateColumn column;
  column.see(text, 1);
  return parse_date(text, column.reading(counts ? DateForm::year : DateForm::automatic));
}

}  // namespace

std::string row_label(TimePoint first, TimePoint last, Granularity granularity) {
  const std::string begin = label(first, granularity);
  return first == last ? begin : begin + ".." + label(last, granularity);
}

std::string Timeline::first_time() const {
  if (timeless()) return std::string(always);
  return rows.empty() ? "" : label(rows.front().first, granularity);
}

std::string Timeline::last_time() const {
  if (timeless()) return std::string(always);
  return rows.empty() ? "" : label(rows.back().last, granularity);
}

Moment Timeline::rows_of(const Fact& fact) const {
  const Moment moment = moments.at(static_cast<std::size_t>(fact.when));
  return {moment.start == Moment::unknown ? 0 : moment.start,
          moment.end == Moment::unknown ? size() - 1 : moment.end};
}

Moment Timeline::rows_around(const TimeSpan& span) const {
  return {span.has_start() ? nearest_row_to(span.first) : Moment::unknown,
          span.has_end() ? nearest_row_to(span.last) : Moment::unknown};
}

std::int32_t Timeline::nearest_row(std::string_view text) const { return place_of(text).row; }

TimePlace Timeline::place_of(std::string_view text) const {
  if (const auto labelled = labelled_row(*this, text)) {
    TimePlace place{.row = *labelled};
    place.point = rows[static_cast<std::size_t>(*labelled)].first;
    return place;
  }
  const ParsedDate parsed = asked_date(*this, text);
  if (!parsed.known()) {
    const std::string range =
        rows.empty() ? ""
                     : fmt::format(" (the data runs from {} to {})", first_time(), last_time());
    fail_request(
        About{.option = "time",
              .advice = worded("write one like 2014-04-25, 2014-04, 2014 or -431{}", range)},
        "{} {}", shown(text),
        is_ambiguous(text, DateReading()) ? "may be day/month/year or month/day/year"
                                          : "is not a date");
  }
  using Where = TimePlace::Where;
  const TimePoint point = time_point(parsed.date, granularity);
  TimePlace place;
  place.point = point;
  place.row = nearest_row_to(point);
  const TimeRow& nearest = rows[static_cast<std::size_t>(place.row)];
  place.coarse = last_time_point(parsed.date, granularity) > nearest.last;
  if (point < nearest.first) {
    place.distance = nearest.first - point;
    place.where = place.row == 0 ? Where::before : Where::between;
  } else if (point > nearest.last) {
    place.distance = point - nearest.last;
    place.where = place.row + 1 == size() ? Where::after : Where::between;
  }
  return place;
}

std::string Timeline::note_on(std::string_view text, const TimePlace& place) const {
  using Where = TimePlace::Where;
  const std::string& answered = rows[static_cast<std::size_t>(place.row)].label;
  const std::string steps =
      fmt::format("{} {}{}", place.distance, name_of(granularity), place.distance == 1 ? "" : "s");
  switch (place.where) {
    case Where::before:
      return fmt::format("{} is {} before the first time of the data; {} is answered for",
                         shown(text), steps, answered);
    case Where::after:
      return fmt::format("{} is {} after the last time of the data; {} is answered for",
                         shown(text), steps, answered);
    case Where::between:
      return fmt::format("no fact is of {}; the nearest time, {}, is answered for", shown(text),
                         answered);
    default:
      break;
  }
  if (!place.coarse) return {};
  return fmt::format("{} is coarser than a {}; {} is answered for", shown(text),
                     name_of(granularity), answered);
}

std::optional<std::int32_t> Timeline::find_row(std::string_view text) const {
  if (const auto labelled = labelled_row(*this, text)) return labelled;
  if (rows.empty() || !asked_date(*this, text).known()) return {};
  const TimePlace place = place_of(text);
  if (place.where != TimePlace::Where::on) return {};
  return place.row;
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
