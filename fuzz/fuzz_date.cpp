// Any text as a date: a date keeps its place on the axis when its label is read again.
#include <cstdint>
#include <string>
#include <string_view>

#include "facts/date.h"
#include "facts/date_form.h"
#include "scratch_file.h"

namespace {

// 99991231 is the end of time as databases write it: the year of that number has no label that
// reads as a year, and the weeks at its edges none that reads as a week.
bool is_written_as_the_end_of_time(const orrery::Date& date) {
  constexpr std::int64_t year = 99'991'231;
  return date.year >= year - 1 && date.year <= year + 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using orrery::Granularity, orrery::must, orrery::ParsedDate;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  orrery::DateColumn column;
  column.see(text, 1);
  for (const orrery::DateForm form :
       {orrery::DateForm::automatic, orrery::DateForm::day_month, orrery::DateForm::serial_days}) {
    const ParsedDate alone = orrery::parse_date(text, column.reading(form));
    if (alone.known() && !is_written_as_the_end_of_time(alone.date))
      must(orrery::parse_date(orrery::text_of(alone.date)).known());
    must(alone.kind != ParsedDate::Kind::bad ||
         !orrery::problem_of_date(text, column.reading(form)).empty());
  }
  const ParsedDate parsed = orrery::parse_date(text);
  if (!parsed.known() || is_written_as_the_end_of_time(parsed.date)) return 0;
  must(parsed.date.month >= 0 && parsed.date.month <= 12);
  must(parsed.date.day >= 0 && parsed.date.day <= 31);

  // Seconds of years beyond these saturate, and so have no label that reads as the same point.
  const bool timed = parsed.date.year > -999'999 && parsed.date.year < 999'999;
  for (const Granularity granularity : orrery::all_granularities) {
    if (granularity < Granularity::day && !timed) continue;
    // The first decade that can be written begins before the first year that can.
    if (granularity == Granularity::decade && parsed.date.year < -9'999'999'999'999'990) continue;
    const orrery::TimePoint point = orrery::time_point(parsed.date, granularity);
    must(orrery::last_time_point(parsed.date, granularity) >= point);
    const ParsedDate again = orrery::parse_date(orrery::label(point, granularity));
    must(again.kind == ParsedDate::Kind::date);
    must(orrery::time_point(again.date, granularity) == point);
  }
  return 0;
}
