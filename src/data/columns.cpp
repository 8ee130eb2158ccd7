#include "data/columns.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/fact_collector.h"

namespace orrery {
namespace {

bool has_ends(const FactColumns& columns) { return !columns.end.empty(); }

void check_lengths(const FactColumns& columns, Split split) {
  const std::size_t facts = columns.subject.size();
  const bool equal = columns.relation.size() == facts && columns.object.size() == facts &&
                     columns.time.size() == facts &&
                     (!has_ends(columns) || columns.end.size() == facts);
  if (!equal)
    fail_request(
        "the columns of {} differ in length: {} subjects, {} relations, {} objects, {} times, {} "
        "ends",
        name_of(split), facts, columns.relation.size(), columns.object.size(), columns.time.size(),
        columns.end.size());
}

std::vector<Fact> numbered(FactCollector& collector, const FactColumns& columns, Split split,
                           bool intervals, const LoadOptions& options, LoadReport& report) {
  std::vector<Fact> facts;
  facts.reserve(columns.subject.size());
  collector.begin_file(fmt::format("{} in memory", name_of(split)));
  Fact fact;
  std::string problem;
  for (std::size_t i = 0; i < columns.subject.size(); ++i) {
    const FactText text{columns.subject[i],
                        columns.relation[i],
                        columns.object[i],
                        columns.time[i],
                        intervals ? columns.end[i] : std::string_view(),
                        {},
                        {}};
    if (collector.number(text, intervals, i + 1, fact, problem))
      facts.push_back(fact);
    else
      report.note(fmt::format("{} in memory", name_of(split)), i + 1, problem, options.skip_bad);
  }
  return facts;
}

void append_names(FactColumns& columns, const TemporalGraph& graph, const Fact& fact) {
  columns.subject.push_back(graph.entities.name(fact.subject));
  columns.relation.push_back(graph.relations.name(fact.relation));
  columns.object.push_back(graph.entities.name(fact.object));
  const std::string& when = graph.times.moment_names.at(static_cast<std::size_t>(fact.when));
  const auto tab = when.find('\t');
  columns.time.push_back(when.substr(0, tab));
  if (graph.times.intervals) columns.end.push_back(when.substr(tab + 1));
}

}  // namespace

TemporalGraph graph_of_columns(const std::array<const FactColumns*, 3>& splits,
                               const LoadOptions& options, LoadReport& report) {
  const bool intervals = has_ends(*splits[0]);
  FactCollector collector(options);
  Splits facts;
  for (const Split split : all_splits) {
    const auto i = static_cast<std::size_t>(split);
    check_lengths(*splits[i], split);
    if (!splits[i]->subject.empty() && has_ends(*splits[i]) != intervals)
      fail_request("train has {} facts, and {} has others", intervals ? "interval" : "point",
                   name_of(split));
    facts[i] = numbered(collector, *splits[i], split, intervals, options, report);
  }
  collector.read_dates(facts, intervals, report);
  if (options.cut) {
    if (!facts[1].empty() || !facts[2].empty())
      fail_request(About{.option = "split", .advice = "leave it out, or give train alone"},
                   "$split is for facts that are not split yet, and there is valid or test");
    facts = cut_facts(std::move(facts[0]), *options.cut,
                      [&](const Fact& fact) { return collector.date_of(fact); });
  }
  if (facts[0].empty()) fail_request("the train split is empty");
  return collector.finish(std::move(facts));
}

FactColumns columns_of(const TemporalGraph& graph) {
  FactColumns columns;
  for (const Split split : all_splits)
    for (const Fact& fact : graph.split(split)) append_names(columns, graph, fact);
  return columns;
}

}  // namespace orrery
