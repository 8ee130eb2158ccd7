// Where attention helps: relations and entities, with it and without.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/tsv_table.h"
#include "page/text_table.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t least_queries = 40;  // of the names in the long tables

struct NamedMean {
  std::uint64_t queries = 0;
  std::vector<double> mrr;  // a value a run
};
using Means = std::map<std::string, NamedMean>;

Means means_of(const CompareRow* row, By part) {
  Means means;
  if (row == nullptr) return means;
  for (const ComparedRun& run : row->runs)
    for (const auto& [name, scores] : test_breakdown(run, part)) {
      NamedMean& mean = means[name];
      mean.queries = scores.queries;
      mean.mrr.push_back(scores.mrr);
    }
  return means;
}

struct Side {
  const char* singular;
  const char* plural;
  Means without, with;
};

// Below the first table stands where a side has fewer seeds than were asked for.
std::string cell(const Means& means, const std::string& name) {
  const auto found = means.find(name);
  return found == means.end() ? no_figure : score_cell(found->second.mrr, 1);
}

double gain_of(const NamedMean& with, const NamedMean& without) {
  return statistics_of(with.mrr).mean - statistics_of(without.mrr).mean;
}

std::string difference(const Side& side, const std::string& name) {
  const auto without = side.without.find(name), with = side.with.find(name);
  if (without == side.without.end() || with == side.with.end()) return no_figure;
  return signed_cell(100 * gain_of(with->second, without->second));
}

std::string queries(const Side& side, const std::string& name) {
  const auto found = side.with.find(name);
  return found == side.with.end() ? no_figure : grouped(found->second.queries);
}

Table paper_table(const std::vector<Side>& sides, const StudyContext& context) {
  Table table{"Test MRR of the paper's relations and entities (queries asked with the entity)",
              {"relation or entity", "the paper's note", "queries", "without, paper", "with, paper",
               "Δ, paper", "without, measured", "with, measured", "Δ, measured"},
              {}};
  const std::string file = "reported/attention.tsv";
  for (const TsvRow& row : read_tsv(context.files.text(file), context.files.label(file),
                                    {"kind", "name", "note", "without", "with"})) {
    const auto found = std::ranges::find(sides, row["kind"], &Side::singular);
    if (found == sides.end())
      fail_request(About{.place = row.place}, "the kind is '{}', but must be relation or entity",
                   row["kind"]);
    const Side& side = *found;
    const std::string& name = row["name"];
    table.rows.push_back({name, row["note"], queries(side, name), row["without"], row["with"],
                          signed_cell(row.number("with") - row.number("without")),
                          cell(side.without, name), cell(side.with, name), difference(side, name)});
  }
  return table;
}

Table long_table(const Side& side) {
  std::vector<std::pair<std::uint64_t, std::string>> names;
  for (const auto& [name, mean] : side.with)
    if (mean.queries >= least_queries) names.emplace_back(mean.queries, name);
  std::ranges::stable_sort(names, [](const auto& a, const auto& b) { return a.first > b.first; });
  Table table{
      fmt::format("Test MRR of all {} with at least {} test queries", side.plural, least_queries),
      {side.singular, "queries", "without", "with", "Δ"},
      {}};
  for (const auto& [count, name] : names)
    table.rows.push_back({name, grouped(count), cell(side.without, name), cell(side.with, name),
                          difference(side, name)});
  return table;
}

std::string helped(const Side& side) {
  std::size_t better = 0, worse = 0;
  for (const auto& [name, with] : side.with) {
    const auto without = side.without.find(name);
    if (with.queries < least_queries || without == side.without.end()) continue;
    const double gain = gain_of(with, without->second);
    (gain > 0 ? better : worse) += gain != 0;
  }
  return fmt::format(
      "Among {} with at least {} test queries attention raises the MRR of {} and lowers that of "
      "{}.",
      side.plural, least_queries, better, worse);
}

Json side_json(const Side& side) {
  Json json = Json::array();
  for (const auto& [name, with] : side.with) {
    const auto without = side.without.find(name);
    json.push_back({{side.singular, name},
                    {"questions", with.queries},
                    {"without", without == side.without.end() ? Json() : Json(without->second.mrr)},
                    {"with", with.mrr}});
  }
  return json;
}

}  // namespace

StudyOutcome attention_study(const StudyRuns& runs, const StudyContext& context) {
  StudyOutcome outcome{opened_report("Attention: with it and without", runs), Json::object()};
  auto& blocks = outcome.report.blocks;
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
    const StudySet& set = runs.plan.sets[i];
    const CompareRow* without = runs.measured(i, set.row("without"));
    const CompareRow* with = runs.measured(i, set.row("with"));
    const auto side = [&](const char* singular, const char* plural, By part) {
      return Side{singular, plural, means_of(without, part), means_of(with, part)};
    };
    const std::vector<Side> sides = {side("relation", "relations", By::relation),
                                     side("entity", "entities", By::entity)};
    blocks.emplace_back(paper_table(sides, context));
    blocks.emplace_back(
        Paragraph{fmt::format("All queries of {}: {} without attention, {} with it.", set.title,
                              score_cell(runs, i, set.row("without"), &Scores::mrr),
                              score_cell(runs, i, set.row("with"), &Scores::mrr))});
    for (const Side& one : sides) blocks.emplace_back(Paragraph{helped(one)});
    for (const Side& one : sides)
      if (Table table = long_table(one); !table.rows.empty()) blocks.emplace_back(std::move(table));
    outcome.details[set.name] = {{"relations", side_json(sides[0])},
                                 {"entities", side_json(sides[1])}};
  }
  return outcome;
}

}  // namespace orrery
