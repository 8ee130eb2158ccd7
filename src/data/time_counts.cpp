#include "data/time_counts.h"

#include <algorithm>
#include <numeric>

#include "data/moment_spans.h"

namespace orrery {
namespace {

bool is_open(TimePoint point) {
  return point == Span::always_before || point == Span::always_after;
}

// Facts of Mondays alone are counted by weeks: by days most stretches would be empty.
TimePoint common_step(const std::vector<Span>& spans, TimePoint first) {
  TimePoint step = 0;
  for (const Span& span : spans)
    for (const TimePoint point : {span.start, span.end})
      if (!is_open(point)) step = std::gcd(step, point - first);
  return std::max<TimePoint>(step, 1);
}

}  // namespace

std::vector<TimeCount> count_per_time(const TemporalGraph& data, std::size_t most) {
  const std::vector<Span> spans = moment_spans(data.times);
  if (spans.empty() || most == 0) return {};
  if (data.times.timeless()) {
    std::uint64_t facts = 0;
    for (const Split split : all_splits) facts += data.split(split).size();
    const std::string always(Timeline::always);
    return {{always, always, facts}};
  }
  TimePoint first = Span::always_after, last = Span::always_before;
  for (const Span& span : spans) {
    for (const TimePoint point : {span.start, span.end}) {
      if (is_open(point)) continue;
      first = std::min(first, point);
      last = std::max(last, point);
    }
  }
  const TimePoint step = common_step(spans, first);
  const TimePoint steps = (last - first) / step + 1, wanted = static_cast<TimePoint>(most);
  const TimePoint length = (steps + wanted - 1) / wanted * step;
  const auto bin_of = [&](TimePoint point) {
    return static_cast<std::size_t>((point - first) / length);
  };
  const std::size_t bins = bin_of(last) + 1;
  std::vector<std::int64_t> change(bins + 1);  // of the count, from one stretch to the next
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split)) {
      const Span& span = spans[static_cast<std::size_t>(fact.when)];
      const std::size_t from = bin_of(std::max(span.start, first));
      const std::size_t to = bin_of(std::min(span.end, last));
      ++change[from];
      --change[std::max(from, to) + 1];  // one that ends before it starts is in its start alone
    }
  }
  std::vector<TimeCount> counts;
  std::int64_t valid = 0;
  for (std::size_t i = 0; i < bins; ++i) {
    valid += change[i];
    const TimePoint begin = first + static_cast<TimePoint>(i) * length;
    counts.push_back({label(begin, data.times.granularity),
                      label(std::min(begin + length - 1, last), data.times.granularity),
                      static_cast<std::uint64_t>(valid)});
  }
  return counts;
}

}  // namespace orrery
