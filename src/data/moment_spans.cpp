#include "data/moment_spans.h"

#include <string_view>

namespace orrery {
namespace {

TimePoint point_of(std::string_view text, Granularity granularity, TimePoint otherwise) {
  const ParsedDate date = parse_date(text);
  return date.kind == ParsedDate::Kind::date ? time_point(date.date, granularity) : otherwise;
}

}  // namespace

std::vector<Span> moment_spans(const Timeline& times) {
  std::vector<Span> spans;
  spans.reserve(times.moments.size());
  for (std::size_t i = 0; i < times.moments.size(); ++i) {
    if (!times.intervals) {
      const TimeRow& row = times.rows[static_cast<std::size_t>(times.moments[i].start)];
      spans.push_back({row.first, row.last});
      continue;
    }
    const std::string_view both = times.moment_names[i];
    const std::size_t tab = both.find('\t');
    spans.push_back({point_of(both.substr(0, tab), times.granularity, Span::always_before),
                     point_of(both.substr(tab + 1), times.granularity, Span::always_after)});
  }
  return spans;
}

}  // namespace orrery
