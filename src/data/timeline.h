// The time axis of a data set: the model's time rows, and the moments that facts carry.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/date.h"
#include "orrery/facts.h"

namespace orrery {

// One time row of the model: all time points from `first` to `last` (equal for point data).
struct TimeRow {
  TimePoint first = 0;
  TimePoint last = 0;
  std::string label;  // "2014-04-25", "1926", "1926..1931"
};

// A row's name: "1926", or "1926..1931".
std::string row_label(TimePoint first, TimePoint last, Granularity granularity);

// The points at which an interval fact holds, both included.
struct TimeSpan {
  static constexpr TimePoint open_start = std::numeric_limits<TimePoint>::min();
  static constexpr TimePoint open_end = std::numeric_limits<TimePoint>::max();
  TimePoint first = open_start, last = open_end;

  bool has_start() const { return first != open_start; }
  bool has_end() const { return last != open_end; }
  bool holds(TimePoint point) const { return first <= point && point <= last; }
  friend auto operator<=>(const TimeSpan&, const TimeSpan&) = default;
};

// Where a date that is asked for lies on the axis.
struct TimePlace {
  enum class Where { on, between, before, after };
  std::int32_t row = 0;  // the date's, or the nearest one
  Where where = Where::on;
  TimePoint distance = 0;  // to that row, in steps of the axis; 0: on it
  bool coarse = false;     // the date reaches beyond the row: its first point is meant
  TimePoint point = 0;     // the date itself
};

struct Timeline {
  // The label of the one time of facts of which none has a date.
  static constexpr std::string_view always = "always";

  bool intervals = false;  // facts have a start and an end …
  bool within = false;     // … and hold at every time between; else they are those two events
  Granularity granularity = Granularity::day;
  Granularity coarsest_date = Granularity::day;  // of the dates as they were written
  std::vector<TimeRow> rows;                     // ascending
  std::vector<Moment> moments;            // moments[fact.when]; for point data moments[i] = {i, i}
  std::vector<std::string> moment_names;  // the label, or "start text\tend text" for intervals
  std::vector<TimeSpan> spans;            // of moments, where facts hold within

  std::int32_t size() const { return static_cast<std::int32_t>(rows.size()); }
  // The first and the last point of the axis, as text; empty without times.
  std::string first_time() const;
  std::string last_time() const;
  bool timeless() const { return rows.size() == 1 && rows.front().label == always; }
  // Starts and ends are two events, each with relation rows of its own.
  bool has_ends() const { return intervals && !within; }
  // The first and the last row in which a fact holds; open sides reach to the edge of the axis.
  Moment rows_of(const Fact& fact) const;
  // The rows of a span's two ends; unknown where it is open.
  Moment rows_around(const TimeSpan& span) const;
  // The row of a date as text; a date outside all rows goes to the nearest one.
  // Text that is not a date is a request Error.
  std::int32_t nearest_row(std::string_view text) const;
  // The same, and whether the axis has that date at all.
  TimePlace place_of(std::string_view text) const;
  // What a reader of an answer must know: the date is beyond the axis, between its times, or
  // coarser than they are. Empty: nothing.
  std::string note_on(std::string_view text, const TimePlace& place) const;
  // The row that a date falls on, or that bears this label; empty: none does.
  std::optional<std::int32_t> find_row(std::string_view text) const;
  // The nearest to a point; of two rows equally near the earlier one.
  std::int32_t nearest_row_to(TimePoint point) const;
};

}  // namespace orrery
