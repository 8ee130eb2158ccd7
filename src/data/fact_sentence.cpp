#include "data/fact_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace orrery {
namespace {

std::string_view word_before(Granularity granularity) {
  if (granularity == Granularity::day) return "on";
  return granularity < Granularity::day ? "at" : "in";
}

std::string at_point(const TemporalGraph& data, std::string_view date) {
  // The dates of intervals stand as they were written: a day may stand among years.
  const ParsedDate written = data.times.intervals ? parse_date(date) : ParsedDate();
  const Granularity precision = written.known() ? written.date.finest() : data.times.granularity;
  return fmt::format("{} {}", word_before(precision), date);
}

std::string when_of(const TemporalGraph& data, const Fact& fact) {
  const auto at = static_cast<std::size_t>(fact.when);
  const std::string_view name = data.times.moment_names.at(at);
  const std::size_t tab = name.find('\t');
  if (!data.times.intervals || tab == std::string_view::npos) return at_point(data, name);
  const Moment& moment = data.times.moments.at(at);
  const std::string_view start = name.substr(0, tab), end = name.substr(tab + 1);
  if (moment.start == Moment::unknown && moment.end == Moment::unknown) return "always";
  if (moment.start == Moment::unknown) return fmt::format("until {}", end);
  if (moment.end == Moment::unknown) return fmt::format("from {} on", start);
  return start == end ? at_point(data, start) : fmt::format("from {} to {}", start, end);
}

}  // namespace

std::string fact_sentence(const TemporalGraph& data, const Fact& fact) {
  return fmt::format("{} {} {}, {}", data.entities.name(fact.subject),
                     data.relations.name(fact.relation), data.entities.name(fact.object),
                     when_of(data, fact));
}

std::vector<std::string> example_sentences(const TemporalGraph& data, std::size_t most) {
  const std::vector<Fact>& facts = data.split(Split::train);
  struct Use {
    std::size_t facts = 0, first = 0;
  };
  std::vector<Use> uses(static_cast<std::size_t>(data.relations.size()));
  for (std::size_t i = 0; i < facts.size(); ++i) {
    Use& use = uses[static_cast<std::size_t>(facts[i].relation)];
    if (use.facts++ == 0) use.first = i;
  }
  std::erase_if(uses, [](const Use& use) { return use.facts == 0; });
  std::ranges::stable_sort(uses, std::greater(), &Use::facts);
  std::vector<std::size_t> chosen;
  const auto choose = [&](std::size_t fact) {
    if (chosen.size() < most && std::ranges::find(chosen, fact) == chosen.end())
      chosen.push_back(fact);
  };
  for (std::size_t i = 0; i < std::min(most, uses.size()); ++i) choose(uses[i].first);
  // Of fewer relations, further facts from all over the list.
  for (std::size_t i = 0; i < most && !facts.empty(); ++i) choose(i * facts.size() / most);
  for (std::size_t i = 0; i < std::min(most, facts.size()); ++i) choose(i);
  std::ranges::sort(chosen);
  std::vector<std::string> sentences;
  for (const std::size_t fact : chosen) sentences.push_back(fact_sentence(data, facts[fact]));
  return sentences;
}

}  // namespace orrery
