#include "data/time_axis.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"

namespace orrery {
namespace {

// How often each known point starts or ends a fact of train.
std::map<TimePoint, std::uint64_t> pooled_points(const std::vector<DatedText>& texts,
                                                 Granularity granularity) {
  std::map<TimePoint, std::uint64_t> points;
  for (const DatedText& text : texts) {
    if (text.train_facts == 0) continue;
    if (text.start.known()) points[time_point(text.start.date, granularity)] += text.train_facts;
    if (text.end.known()) points[last_time_point(text.end.date, granularity)] += text.train_facts;
  }
  return points;
}

// Walks the points upwards and closes a class when it holds enough; the last one takes the rest.
std::vector<TimeRow> classes_of(const std::map<TimePoint, std::uint64_t>& points,
                                std::uint64_t min_facts) {
  std::vector<TimeRow> classes;
  std::uint64_t held = 0;
  bool open = false;
  for (const auto& [point, facts] : points) {
    if (!open) classes.push_back({point, point, {}});
    open = true;
    classes.back().last = point;
    held += facts;
    if (held >= min_facts) {
      open = false;
      held = 0;
    }
  }
  if (open && classes.size() > 1) {
    const TimePoint last = classes.back().last;
    classes.pop_back();
    classes.back().last = last;
  }
  return classes;
}

}  // namespace

Granularity coarsest_given(const std::vector<DatedText>& texts) {
  Granularity coarsest = Granularity::second;
  for (const DatedText& text : texts)
    for (const ParsedDate& date : {text.start, text.end})
      if (date.known()) coarsest = std::max(coarsest, date.date.finest());
  return coarsest;
}

TimeAxis point_axis(std::span<const Date> dates, Granularity granularity) {
  TimeAxis axis;
  Timeline& timeline = axis.timeline;
  timeline.granularity = granularity;
  timeline.coarsest_date = Granularity::second;
  for (const Date& date : dates)
    timeline.coarsest_date = std::max(timeline.coarsest_date, date.finest());

  std::vector<TimePoint> points;
  points.reserve(dates.size());
  for (const Date& date : dates) points.push_back(time_point(date, granularity));
  std::vector<TimePoint> distinct = points;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const TimePoint point : distinct) {
    const std::int32_t row = timeline.size();
    timeline.rows.push_back({point, point, label(point, timeline.granularity)});
    timeline.moments.push_back({row, row});
    timeline.moment_names.push_back(timeline.rows.back().label);
  }
  for (const TimePoint point : points) {
    const auto row = std::lower_bound(distinct.begin(), distinct.end(), point);
    axis.moment_of.push_back(static_cast<std::int32_t>(row - distinct.begin()));
  }
  return axis;
}

TimeAxis interval_axis(const std::vector<DatedText>& texts, std::optional<Granularity> granularity,
                       std::int64_t min_facts) {
  for (const DatedText& text : texts) {
    if (!text.start.known() && !text.end.known())
      fail_request(About{.option = "undated",
                         .advice = worded("take $intervals within, or leave such facts out")},
                   "a fact without any date has no start or end to be read by");
  }
  TimeAxis axis;
  Timeline& timeline = axis.timeline;
  timeline.intervals = true;
  timeline.coarsest_date = coarsest_given(texts);
  timeline.granularity = granularity.value_or(Granularity::year);
  timeline.rows = classes_of(pooled_points(texts, timeline.granularity),
                             static_cast<std::uint64_t>(std::max<std::int64_t>(min_facts, 1)));
  for (TimeRow& row : timeline.rows)
    row.label = row_label(row.first, row.last, timeline.granularity);

  const auto start_row = [&timeline](const ParsedDate& date) {
    return date.known() ? timeline.nearest_row_to(time_point(date.date, timeline.granularity))
                        : Moment::unknown;
  };
  const auto end_row = [&timeline](const ParsedDate& date) {
    return date.known() ? timeline.nearest_row_to(last_time_point(date.date, timeline.granularity))
                        : Moment::unknown;
  };
  std::vector<std::size_t> by_text(texts.size());
  std::iota(by_text.begin(), by_text.end(), std::size_t{0});
  std::sort(by_text.begin(), by_text.end(),
            [&texts](std::size_t a, std::size_t b) { return texts[a].text < texts[b].text; });
  axis.moment_of.resize(texts.size());
  for (const std::size_t i : by_text) {
    const DatedText& text = texts[i];
    // Other texts may mean the same dates and then have the same name.
    if (timeline.moment_names.empty() || timeline.moment_names.back() != text.text) {
      timeline.moments.push_back({start_row(text.start), end_row(text.end)});
      timeline.moment_names.push_back(text.text);
    }
    axis.moment_of[i] = static_cast<std::int32_t>(timeline.moments.size()) - 1;
  }
  return axis;
}

}  // namespace orrery
