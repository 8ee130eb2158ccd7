#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/report.h"
#include "page/text_table.h"
#include "page/text_width.h"

namespace orrery {
namespace {

constexpr std::size_t best_times_shown = 3;
constexpr std::size_t least_fact_columns = 24;

std::string known_in_words(const Explanation& explanation) {
  if (!explanation.known) return "not in the data";
  const KnownFactOf& known = *explanation.known;
  if (known.now) return fmt::format("in {}", name_of(known.split));
  return fmt::format("in {} at another time, {}", name_of(known.split), printable(known.time));
}

std::string title(const Explanation& explanation) {
  const Question& fact = explanation.fact;
  return fmt::format("({}, {}, {}{})\n{}\n", printable(fact.subject), printable(fact.relation),
                     printable(fact.object),
                     explanation.time.empty() ? "" : ", " + printable(explanation.time),
                     known_in_words(explanation));
}

std::string probability_text(double probability) {
  return fmt::format("{:.1f} %", 100 * probability);
}

std::string ranks(const Explanation& explanation) {
  TextTable table({"question", "score", "probability", "rank", "without known", "of"});
  for (const ExplainedSide* side : {&explanation.object, &explanation.subject})
    table.add({fmt::format("which {}?", side->asked), fmt::format("{:.3f}", side->score),
               probability_text(side->probability), grouped(side->rank),
               grouped(side->filtered_rank), grouped(side->entities)});
  return table.text();
}

// "object? real time 61 %, relation 39 %; imaginary time …"
std::string attention(const Explanation& explanation) {
  std::string text;
  for (const ExplainedSide* side : {&explanation.object, &explanation.subject}) {
    std::string line, group;
    for (const AttentionWeight& one : side->attention) {
      const std::string of = (one.event.empty() ? "" : one.event + " ") + one.part;
      const bool begins = line.empty() || of != group;
      if (begins && !line.empty()) line += "; ";
      if (begins && !of.empty()) line += of + " ";
      if (!begins) line += ", ";
      line += fmt::format("{} {:.0f} %", one.view, 100 * one.weight);
      group = of;
    }
    if (!line.empty()) text += fmt::format("  {}? {}\n", side->asked, line);
  }
  return text.empty() ? "" : "\nattention\n" + text;
}

std::string history(const Explanation& explanation) {
  std::string text;
  for (const ExplainedSide* side : {&explanation.object, &explanation.subject})
    for (const HistoryTerm& term : side->history)
      text += fmt::format("  {}? {}\n", side->asked, printable(term.sentence));
  return text.empty() ? "" : "\nhistory\n" + text;
}

// One character for each of at most `columns` stretches of time: the highest score in it, between
// the lowest and the highest of all.
std::string drawn(const std::vector<TimeScore>& curve, std::size_t columns, bool blocks) {
  static constexpr std::array<std::string_view, 8> bars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::array<std::string_view, 8> signs = {"_", ".", ":", "-", "=", "+", "*", "#"};
  const auto& levels = blocks ? bars : signs;
  const auto [low, high] = std::ranges::minmax(curve, {}, &TimeScore::score);
  const double range = high.score - low.score;
  const std::size_t count = std::min(columns, curve.size());
  std::string line;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = curve.begin() + static_cast<std::ptrdiff_t>(i * curve.size() / count);
    const auto end = curve.begin() + static_cast<std::ptrdiff_t>((i + 1) * curve.size() / count);
    const double top = std::ranges::max_element(begin, end, {}, &TimeScore::score)->score;
    const double share = range > 0 ? (top - low.score) / range : 0;
    line += levels[static_cast<std::size_t>(std::lround(share * (levels.size() - 1.0)))];
  }
  return line;
}

std::string over_time(const Explanation& explanation, const TextPage& page) {
  const auto& curve = explanation.curve;
  if (curve.size() < 2) return "";
  auto best = curve;
  std::ranges::stable_sort(best, std::greater{}, &TimeScore::score);
  best.resize(std::min(best.size(), best_times_shown));
  std::vector<std::string> names;
  for (const TimeScore& at : best)
    names.push_back(fmt::format("{} ({})", printable(at.time), probability_text(at.probability)));
  return fmt::format("\nits score from {} to {}\n  {}\n  highest: {}\n",
                     printable(curve.front().time), printable(curve.back().time),
                     drawn(curve, page.columns - 2, page.blocks), listed(names));
}

std::string date_of(const InfluentialFact& fact) {
  return fact.end.empty() ? fact.time : fmt::format("{} to {}", fact.time, fact.end);
}

// The names are cut where the table would not fit.
std::string facts_table(std::string_view head, const std::vector<InfluentialFact>& facts,
                        const TextPage& page) {
  std::vector<std::vector<std::string>> rows = {{std::string(head), "time", "shares", "influence"}};
  for (const InfluentialFact& fact : facts)
    rows.push_back({fmt::format("{} · {} · {}", printable(fact.subject), printable(fact.relation),
                                printable(fact.object)),
                    printable(date_of(fact)), std::string(name_of(fact.link)),
                    fmt::format("{:+.3g}", fact.influence)});
  std::size_t others = 0;
  for (std::size_t column = 1; column < rows.front().size(); ++column) {
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, columns_of(row[column]));
    others += widest + 2;
  }
  const std::size_t room =
      std::max(least_fact_columns, page.columns > others ? page.columns - others : 0);
  TextTable table(rows.front());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (page.wraps) rows[i].front() = fitted_text(rows[i].front(), room);
    table.add(rows[i]);
  }
  return "\n" + table.text();
}

std::string facts(const Explanation& explanation, const TextPage& page) {
  std::string text;
  if (!explanation.supporting.empty())
    text += facts_table("training facts it rests on", explanation.supporting, page);
  if (!explanation.opposing.empty())
    text += facts_table("training facts against it", explanation.opposing, page);
  if (!explanation.influence_note.empty())
    return text + fmt::format("\nno training facts: {}\n", explanation.influence_note);
  if (explanation.compared_facts < explanation.related_facts)
    text +=
        fmt::format("\nlooked at: the nearest {} of {} training facts that share parts with it\n",
                    grouped(explanation.compared_facts), grouped(explanation.related_facts));
  return text;
}

std::string neighbours(const Explanation& explanation, const TextPage& page) {
  std::string text;
  for (const auto& [name, near] : {std::pair(explanation.fact.subject, explanation.near_subject),
                                   std::pair(explanation.fact.object, explanation.near_object)}) {
    if (near.empty()) continue;
    std::string line = fmt::format("  {}:", printable(name));
    for (const Neighbour& one : near)
      line += fmt::format("{} {} {:.2f}", &one == near.data() ? "" : ",", printable(one.name),
                          one.similarity);
    text += (page.wraps ? fitted_text(line, page.columns) : line) + "\n";
  }
  return text.empty() ? "" : "\nnearest entities (cosine)\n" + text;
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const TextPage& page) {
  std::string text = title(explanation) + "\n" + ranks(explanation) + attention(explanation) +
                     history(explanation) + over_time(explanation, page) +
                     facts(explanation, page) + neighbours(explanation, page);
  if (!explanation.note.empty()) text += fmt::format("\nnote: {}\n", printable(explanation.note));
  return text;
}

}  // namespace orrery
