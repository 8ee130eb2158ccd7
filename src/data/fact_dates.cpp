#include "data/fact_dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "base/error.h"
#include "data/interval_axis.h"
#include "data/time_axis_choice.h"
#include "facts/date_numbers.h"
#include "facts/date_scan.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }

constexpr std::int32_t no_text = -1;
const ParsedDate unknown_date = {ParsedDate::Kind::unknown, {}};

std::vector<std::uint64_t> counted(std::span<const std::vector<Fact>> splits, std::size_t moments) {
  std::vector<std::uint64_t> counts(moments);
  for (const auto& split : splits) {
    for (const Fact& fact : split) ++counts[index(fact.when)];
  }
  return counts;
}

bool is_bad(const ParsedDate& date) { return date.kind == ParsedDate::Kind::bad; }

bool is_earlier(const Date& a, const Date& b) {
  const TimePoint day_a = time_point(a, Granularity::day), day_b = time_point(b, Granularity::day);
  if (day_a != day_b) return day_a < day_b;
  return time_point(a, Granularity::second) < time_point(b, Granularity::second);
}

}  // namespace

std::int32_t FactDates::text_number(NameTable& table, std::string_view text) {
  const std::int32_t id = table.find(text);
  return id != NameTable::absent ? id : table.add(text);
}

std::int32_t FactDates::number(const FactText& text, bool intervals, std::uint64_t line) {
  const bool plain = !intervals && !options_.as_of;
  NameTable& table = plain ? texts_ : moments_;
  Stamps stamps;
  std::string_view key = text.start;
  if (!plain) {
    stamps = {text_number(texts_, text.start), intervals ? text_number(texts_, text.end) : no_text,
              no_text, no_text};
    if (options_.as_of) {
      stamps.recorded = text_number(stamps_, text.recorded);
      stamps.expired = text_number(stamps_, text.expired);
    }
    key = {reinterpret_cast<const char*>(&stamps), sizeof stamps};
  }
  const std::int32_t id = table.find(key);
  if (id != NameTable::absent) return id;
  places_.push_back({(files_.size() - 1) & 0xffff, line & 0xffff'ffff'ffff});
  return table.add(key);
}

FactDates::Stamps FactDates::stamps_of(std::size_t when) const {
  if (moments_.size() == 0) return {static_cast<std::int32_t>(when), no_text, no_text, no_text};
  Stamps stamps;
  std::memcpy(&stamps, moments_.name(static_cast<std::int32_t>(when)).data(), sizeof stamps);
  return stamps;
}

const ParsedDate& FactDates::start_of(std::size_t when) const {
  return dates_[index(stamps_of(when).start)];
}

const ParsedDate& FactDates::end_of(std::size_t when) const {
  const std::int32_t end = stamps_of(when).end;
  return end == no_text || ends_open_[when] != 0 ? unknown_date : dates_[index(end)];
}

Date FactDates::date_of(const Fact& fact) const {
  const ParsedDate& start = start_of(index(fact.when));
  return (start.known() ? start : end_of(index(fact.when))).date;
}

void FactDates::read(Splits& facts, bool intervals, LoadReport& report) {
  intervals_ = has_ends_ = intervals;
  const std::vector<std::uint64_t> counts = counted(facts, size());
  ends_open_.assign(size(), 0);
  kept_.assign(size(), 1);
  read_texts(counts, report.dates);
  report.date_reading = reading_;
  if (options_.as_of) read_as_of(counts, report.dates);
  const auto refuse = [&](std::size_t when, const std::string& problem, const std::string& advice) {
    const Place& place = places_[when];
    report.note(files_[place.file], place.line, problem, options_.skip_bad, advice, counts[when]);
    kept_[when] = 0;
  };
  std::string problem, advice;
  for (std::size_t when = 0; when < size(); ++when) {
    if (counts[when] == 0 || kept_[when] == 0) continue;
    if (has_problem(when, problem, advice)) refuse(when, problem, advice);
  }
  choose_granularity_of_axis(counts, report.dates);
  for (std::size_t when = 0; when < size(); ++when) {
    if (counts[when] == 0 || kept_[when] == 0) continue;
    if (is_too_coarse(when, problem, advice)) refuse(when, problem, advice);
  }
  understand(counts, report.dates);
  if (std::ranges::find(kept_, 0) == kept_.end()) return;
  for (auto& split : facts)
    std::erase_if(split, [this](const Fact& fact) { return kept_[index(fact.when)] == 0; });
}

// The column of starts and ends is read as a whole.
void FactDates::read_texts(const std::vector<std::uint64_t>& counts, DatesUnderstood& understood) {
  std::vector<std::uint64_t> facts(index(texts_.size()));
  for (std::size_t when = 0; when < size(); ++when) {
    const Stamps stamps = stamps_of(when);
    facts[index(stamps.start)] += counts[when];
    if (stamps.end != no_text) facts[index(stamps.end)] += counts[when];
  }
  DateColumn column;
  for (std::int32_t i = 0; i < texts_.size(); ++i) column.see(texts_.name(i), facts[index(i)]);
  reading_ = column.reading(options_.dates);
  understood.forms = column.forms(reading_);
  dates_.reserve(index(texts_.size()));
  for (std::int32_t i = 0; i < texts_.size(); ++i) {
    dates_.push_back(parse_date(texts_.name(i), reading_));
    if (is_bad(dates_.back()) && is_ambiguous(texts_.name(i), reading_)) refuse_ambiguous(i);
  }
  open_the_year_9999();
  drop_unused_units(dates_, options_.granularity);
}

// No bad line: nothing in the whole column decides.
void FactDates::refuse_ambiguous(std::int32_t text) const {
  std::size_t when = 0;
  while (stamps_of(when).start != text && stamps_of(when).end != text) ++when;
  const Place& place = places_[when];
  const std::string_view written = texts_.name(text);
  fail_request(About{.option = "dates",
                     .place = {files_[place.file], place.line},
                     .advice = date_scan::looks_like_serial_days(written)
                                   ? worded("say $dates excel (days) or $dates year (counts)")
                                   : worded("say $dates dmy (31/01/2020) or $dates mdy "
                                            "(01/31/2020)")},
               "{}", problem_of_date(written, reading_));
}

// A year 9999 after which, and long before which, nothing else is: it stands for "no end".
void FactDates::open_the_year_9999() {
  constexpr std::int64_t open_year = 9999, last_near_year = 2999;
  const auto is_far = [](const ParsedDate& date) {
    return date.known() && date.date.year > last_near_year && date.date.year != open_year;
  };
  if (std::ranges::any_of(dates_, is_far)) return;
  for (ParsedDate& date : dates_)
    if (date.known() && date.date.year == open_year) date = unknown_date;
}

// What was recorded later is not known yet. What has expired was either ended, which is known, or
// withdrawn; what expires later has an end that is not known yet.
void FactDates::read_as_of(const std::vector<std::uint64_t>& counts, DatesUnderstood& understood) {
  DateColumn column;
  for (std::int32_t i = 0; i < stamps_.size(); ++i) column.see(stamps_.name(i), 1);
  const DateReading reading = column.reading();
  const TimePoint as_of = last_time_point(*options_.as_of, Granularity::second);
  for (std::size_t when = 0; when < size(); ++when) {
    const Stamps stamps = stamps_of(when);
    const auto parsed = [&](std::int32_t stamp) {
      const ParsedDate date = parse_date(stamps_.name(stamp), reading);
      if (is_bad(date))
        fail_request(About{.place = {files_[places_[when].file], places_[when].line}}, "{}",
                     problem_of_date(stamps_.name(stamp), reading));
      return date;
    };
    const auto is_later = [&](const ParsedDate& date) {
      return date.known() && time_point(date.date, Granularity::second) > as_of;
    };
    const ParsedDate recorded = parsed(stamps.recorded), expired = parsed(stamps.expired);
    if (is_later(expired)) ends_open_[when] = 1;
    const bool withdrawn = expired.known() && !is_later(expired) && !end_of(when).known();
    const bool nothing_known =
        ends_open_[when] != 0 && !start_of(when).known() && !options_.undated_always;
    if (!is_later(recorded) && !withdrawn && !nothing_known) continue;
    kept_[when] = 0;
    understood.not_known_then += counts[when];
  }
}

bool FactDates::has_problem(std::size_t when, std::string& problem, std::string& advice) const {
  const Stamps stamps = stamps_of(when);
  advice = {};
  for (const std::int32_t text : {stamps.start, stamps.end}) {
    if (text == no_text || !is_bad(dates_[index(text)])) continue;
    problem = problem_of_date(texts_.name(text), reading_);
    advice = worded("correct the line, say with $dates what form the dates have");
    return true;
  }
  if (start_of(when).known()) return false;
  const std::string_view start = texts_.name(stamps.start);
  if (date_scan::means_still(start)) {
    problem = fmt::format("{} is no date; as an end it would be an open one", shown(start));
    advice = "give it a date";
    return true;
  }
  if (end_of(when).known() || options_.undated_always) return false;
  advice = worded("give it a date, let it hold always with $undated always");
  problem = has_ends_ ? "neither the start nor the end is known; a fact needs one of them"
                      : fmt::format("the date {} is unknown; a fact needs one", shown(start));
  return true;
}

void FactDates::choose_granularity_of_axis(const std::vector<std::uint64_t>& counts,
                                           DatesUnderstood& understood) {
  granularity_ = options_.granularity;
  understood.reason = granularity_ ? fmt::format("{}: as asked for", name_of(*granularity_)) : "";
  if (granularity_) return;
  if (has_ends_ && !options_.within) {
    understood.reason = "year: starts and ends are pooled into classes of years";
    return;
  }
  std::vector<CountedDate> dates;
  for (std::size_t when = 0; when < size(); ++when) {
    if (kept_[when] == 0 || counts[when] == 0) continue;
    for (const ParsedDate* date : {&start_of(when), &end_of(when)})
      if (date->known()) dates.push_back({date->date, counts[when]});
  }
  const GranularityChoice choice = choose_granularity(dates, has_ends_);
  granularity_ = choice.granularity;
  if (!dates.empty()) understood.reason = choice.reason;
}

bool FactDates::is_too_coarse(std::size_t when, std::string& problem, std::string& advice) const {
  const ParsedDate& date = start_of(when);
  if (has_ends_ || options_.spread_coarse_dates || !is_coarse(date)) return false;
  problem = fmt::format("the date {} is of {} precision, and times are {}s",
                        shown(texts_.name(stamps_of(when).start)), name_of(date.date.finest()),
                        name_of(*granularity_));
  advice = worded("give it whole, let it hold over its period with $coarse-dates spread");
  return true;
}

bool FactDates::is_coarse(const ParsedDate& date) const {
  return granularity_ && date.known() && date.date.finest() > *granularity_;
}

bool FactDates::is_fine(const ParsedDate& date) const {
  return granularity_ && date.known() && date.date.finest() < *granularity_;
}

void FactDates::understand(const std::vector<std::uint64_t>& counts, DatesUnderstood& understood) {
  const Date* first = nullptr;
  const Date* last = nullptr;
  for (std::size_t when = 0; when < size(); ++when) {
    if (kept_[when] == 0 || counts[when] == 0) continue;
    const ParsedDate& start = start_of(when);
    const ParsedDate& end = end_of(when);
    const bool dated = start.known() || end.known();
    const bool coarse = is_coarse(start) || is_coarse(end);
    (dated ? understood.facts : understood.undated) += counts[when];
    if (has_ends_ && dated && start.known() != end.known()) understood.open += counts[when];
    if (coarse) understood.coarser += counts[when];
    if (is_fine(start) || is_fine(end)) understood.finer += counts[when];
    for (const ParsedDate* date : {&start, &end}) {
      if (!date->known()) continue;
      if (first == nullptr || is_earlier(date->date, *first)) first = &date->date;
      if (last == nullptr || is_earlier(*last, date->date)) last = &date->date;
    }
    if (!has_ends_ && (coarse || !dated)) intervals_ = true;
  }
  const auto shown_date = [this](const Date* date) {
    if (date == nullptr) return std::string();
    return granularity_ && date->finest() < *granularity_
               ? label(time_point(*date, *granularity_), *granularity_)
               : text_of(*date);
  };
  understood.first = shown_date(first);
  understood.last = shown_date(last);
  understood.granularity = name_of(granularity_.value_or(Granularity::year));
}

// As written where that reads as the same date by itself, else in ISO 8601.
std::string FactDates::text_for(std::int32_t text, const ParsedDate& date) const {
  const std::string_view written = text == no_text ? std::string_view() : texts_.name(text);
  if (!date.known()) return parse_date(written).known() ? std::string() : std::string(written);
  const ParsedDate again = parse_date(written);
  return again.known() && again.date == date.date ? std::string(written) : text_of(date.date);
}

TimeAxis FactDates::axis_of_intervals(const std::vector<DatedText>& texts) const {
  if (!options_.within) return interval_axis(texts, granularity_, options_.min_facts);
  return within_axis(texts, *granularity_, options_.min_facts, options_.horizon);
}

TimeAxis FactDates::axis(const Splits& facts) const {
  std::vector<std::uint64_t> used = counted(facts, size());
  const std::vector<std::uint64_t> train = counted(std::span(facts).first(1), size());
  std::vector<Date> dates;
  std::vector<DatedText> texts;
  std::vector<std::int32_t> position(size());
  for (std::size_t when = 0; when < size(); ++when) {
    if (used[when] == 0) continue;
    position[when] = static_cast<std::int32_t>(intervals_ ? texts.size() : dates.size());
    if (!intervals_) {
      dates.push_back(start_of(when).date);
      continue;
    }
    const Stamps stamps = stamps_of(when);
    const ParsedDate& start = start_of(when);
    // A point that became an interval starts and ends with its period.
    const ParsedDate& end = has_ends_ ? end_of(when) : start;
    texts.push_back({text_for(stamps.start, start) + '\t' +
                         text_for(has_ends_ ? stamps.end : stamps.start, end),
                     start, end, train[when]});
  }
  TimeAxis axis = intervals_ ? axis_of_intervals(texts) : point_axis(dates, *granularity_);
  std::vector<std::int32_t> moment_of(size());
  for (std::size_t when = 0; when < size(); ++when) {
    if (used[when] > 0) moment_of[when] = axis.moment_of[index(position[when])];
  }
  axis.moment_of = std::move(moment_of);
  return axis;
}

}  // namespace orrery
