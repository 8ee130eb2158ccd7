#include "serve/known_answers.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "facts/date.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

constexpr std::string_view names_of_known[] = {"mark", "hide", "show"};

// Rows between a fact and the place asked for; 0: it holds there.
std::int32_t rows_away(const Timeline& times, std::int32_t when, const AskedTime& asked) {
  const Moment rows = times.rows_of({0, 0, 0, when});
  if (asked.share_of_other > 0) {
    // Between two rows only what reaches over both holds.
    const auto [low, high] = std::minmax(asked.row, asked.other);
    if (rows.start <= low && high <= rows.end) return 0;
    return rows.end <= low ? low - rows.end + 1 : rows.start >= high ? rows.start - high + 1 : 1;
  }
  if (asked.row < rows.start) return rows.start - asked.row;
  return asked.row > rows.end ? asked.row - rows.end : 0;
}

}  // namespace

std::string_view name_of(KnownAnswers known) {
  return names_of_known[static_cast<std::size_t>(known)];
}

KnownAnswers known_answers_named(std::string_view name) {
  const auto found = std::ranges::find(names_of_known, name);
  if (found == std::end(names_of_known))
    fail_request(About{.option = "known"}, "$known is mark, hide or show, not {}", shown(name));
  return static_cast<KnownAnswers>(found - std::begin(names_of_known));
}

std::string time_in_words(const Timeline& times, std::int32_t when) {
  const std::string& name = times.moment_names.at(static_cast<std::size_t>(when));
  const auto tab = name.find('\t');
  if (tab == std::string::npos) return name;
  const std::string start = name.substr(0, tab), end = name.substr(tab + 1);
  const bool begins = parse_date(start).known(), ends = parse_date(end).known();
  if (begins && ends) return start == end ? start : start + " to " + end;
  if (begins) return "since " + start;
  return ends ? "until " + end : std::string(Timeline::always);
}

std::optional<KnownFactOf> known_fact(const FactsAtHand& facts, std::int32_t subject,
                                      std::int32_t relation, std::int32_t object,
                                      const AskedTime& time, bool timed) {
  std::optional<std::tuple<std::int32_t, Split, std::int32_t>> nearest;
  const auto pair = std::ranges::equal_range(facts.index.facts_of(subject, Side::subject, relation),
                                             object, {}, &FactIndex::Entry::other);
  for (const FactIndex::Entry& entry : pair) {
    const std::int32_t away = timed ? rows_away(facts.data.times, entry.when, time) : 0;
    const auto found = std::tuple(away, entry.split, entry.when);
    if (!nearest || found < *nearest) nearest = found;
  }
  if (!nearest) return {};
  const auto [away, split, when] = *nearest;
  return KnownFactOf{split, away == 0, time_in_words(facts.data.times, when)};
}

std::vector<std::int32_t> known_now(const FactsAtHand& facts, const QuestionIds& question,
                                    bool timed) {
  const bool subject = question.asked == AskedPart::subject;
  std::vector<std::int32_t> known;
  for (const FactIndex::Entry& entry :
       facts.index.facts_of(subject ? question.object : question.subject,
                            subject ? Side::object : Side::subject, question.relation))
    if (!timed || rows_away(facts.data.times, entry.when, question.time) == 0)
      known.push_back(entry.other);
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

}  // namespace orrery
