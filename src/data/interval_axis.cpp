#include "data/interval_axis.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"

namespace orrery {
namespace {

// When the facts of a text hold. One that ends before it starts holds at its start: that is what
// is left of it without its end.
TimeSpan span_of_text(const DatedText& text, Granularity granularity,
                      const std::optional<Date>& horizon) {
  TimeSpan span;
  if (text.start.known()) span.first = span_of(text.start.date, granularity).first;
  if (text.end.known())
    span.last = span_of(text.end.date, granularity).last;
  else if (horizon)
    span.last = span_of(*horizon, granularity).last;
  if (span.last < span.first) span.last = span.first;
  return span;
}

// Where what holds changes, with the number of facts that begin or have ended there.
struct Changes {
  std::map<TimePoint, std::uint64_t> at;
  TimePoint last_known = TimeSpan::open_start;  // the latest start or end
};

Changes changes_of(const std::vector<DatedText>& texts, Granularity granularity,
                   const std::optional<Date>& horizon) {
  Changes changes;
  TimePoint first_known = TimeSpan::open_end;
  bool never_end = false, begin_before = false;
  for (const DatedText& text : texts) {
    if (text.train_facts == 0) continue;
    const TimeSpan span = span_of_text(text, granularity, horizon);
    if (span.has_start()) {
      changes.at[span.first] += text.train_facts;
      first_known = std::min(first_known, span.first);
      changes.last_known = std::max(changes.last_known, span.first);
    }
    if (span.has_end()) {
      changes.at[span.last + 1] += text.train_facts;
      first_known = std::min(first_known, span.last);
      changes.last_known = std::max(changes.last_known, span.last);
    }
    never_end = never_end || !span.has_end();
    begin_before = begin_before || !span.has_start();
  }
  // The last row must be one in which something holds, and so must the first.
  if (!never_end && !changes.at.empty()) changes.at.erase(std::prev(changes.at.end()));
  if (begin_before && first_known != TimeSpan::open_end) changes.at.try_emplace(first_known, 1);
  return changes;
}

std::vector<TimeRow> rows_of(const Changes& changes, std::uint64_t min_facts,
                             Granularity granularity) {
  std::vector<TimeRow> rows;
  std::uint64_t held = min_facts;
  for (const auto& [point, facts] : changes.at) {
    if (held >= min_facts) {
      if (!rows.empty()) rows.back().last = point - 1;
      rows.push_back({point, point, {}});
      held = 0;
    }
    held += facts;
  }
  if (held < min_facts && rows.size() > 1) rows.pop_back();  // the last one takes the rest
  // However rows are pooled, the axis ends at the same point: open ends are asked for up to there.
  if (!rows.empty()) rows.back().last = std::max(changes.at.rbegin()->first, changes.last_known);
  for (TimeRow& row : rows) row.label = row_label(row.first, row.last, granularity);
  return rows;
}

void refuse_early(const Date& horizon, const std::vector<DatedText>& texts,
                  Granularity granularity) {
  const Date* first = nullptr;
  TimePoint begin = TimeSpan::open_end;
  for (const DatedText& text : texts) {
    if (!text.start.known() || time_point(text.start.date, granularity) >= begin) continue;
    begin = time_point(text.start.date, granularity);
    first = &text.start.date;
  }
  if (first != nullptr && last_time_point(horizon, granularity) < begin)
    fail_request(
        About{.option = "horizon", .advice = worded("name a later date, or leave $horizon out")},
        "$horizon {} lies before every start of the data, of which {} is the first",
        text_of(horizon), text_of(*first));
}

}  // namespace

TimeSpan span_of(const Date& date, Granularity granularity) {
  return {time_point(date, granularity), last_time_point(date, granularity)};
}

TimeAxis within_axis(const std::vector<DatedText>& texts, Granularity granularity,
                     std::int64_t min_facts, const std::optional<Date>& horizon) {
  TimeAxis axis;
  Timeline& timeline = axis.timeline;
  timeline.intervals = timeline.within = true;
  timeline.coarsest_date = coarsest_given(texts);
  timeline.granularity = granularity;
  if (horizon) refuse_early(*horizon, texts, granularity);
  timeline.rows = rows_of(changes_of(texts, timeline.granularity, horizon),
                          static_cast<std::uint64_t>(std::max<std::int64_t>(min_facts, 1)),
                          timeline.granularity);
  if (timeline.rows.empty()) timeline.rows = {{0, 0, std::string(Timeline::always)}};

  std::vector<std::size_t> by_text(texts.size());
  std::iota(by_text.begin(), by_text.end(), std::size_t{0});
  std::sort(by_text.begin(), by_text.end(),
            [&texts](std::size_t a, std::size_t b) { return texts[a].text < texts[b].text; });
  axis.moment_of.resize(texts.size());
  for (const std::size_t i : by_text) {
    // Other texts may mean the same dates and then have the same name.
    if (timeline.moment_names.empty() || timeline.moment_names.back() != texts[i].text) {
      timeline.spans.push_back(span_of_text(texts[i], timeline.granularity, horizon));
      timeline.moments.push_back(timeline.rows_around(timeline.spans.back()));
      timeline.moment_names.push_back(texts[i].text);
    }
    axis.moment_of[i] = static_cast<std::int32_t>(timeline.moments.size()) - 1;
  }
  return axis;
}

}  // namespace orrery
