// Any text as a date: a date keeps its place on the axis when its label is read again.
#include <cstdint>
#include <string>
#include <string_view>

#include "facts/date.h"
#include "scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using orrery::Granularity, orrery::must, orrery::ParsedDate;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParsedDate parsed = orrery::parse_date(text);
  if (parsed.kind != ParsedDate::Kind::date) return 0;
  must(parsed.date.month >= 0 && parsed.date.month <= 12);
  must(parsed.date.day >= 0 && parsed.date.day <= 31);

  must(!orrery::label(orrery::time_point(parsed.date, Granularity::week), Granularity::week)
            .empty());
  for (const Granularity granularity : {Granularity::day, Granularity::month, Granularity::year}) {
    const orrery::TimePoint point = orrery::time_point(parsed.date, granularity);
    const ParsedDate again = orrery::parse_date(orrery::label(point, granularity));
    must(again.kind == ParsedDate::Kind::date);
    must(orrery::time_point(again.date, granularity) == point);
  }
  return 0;
}
