#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "page/report.h"
#include "page/text_table.h"
#include "paper/patterns.h"
#include "paper/patterns_in_data.h"

namespace orrery {
namespace {

std::string mrr_of(const FactsScore& score) {
  return score.facts > 0 ? percent(score.mrr) : no_figure;
}

void add_treatments(Report& report, const Patterns& patterns) {
  report.blocks.emplace_back(Heading{"Ranks"});
  report.blocks.emplace_back(Paragraph{fmt::format(
      "Facts of the {} split, both queries of each, MRR in percent. A relation is symmetric "
      "where at least half of its facts (s, r, o, t) also stand as (o, r, s, t), and inverse to "
      "another where 80 % of them stand as (o, r', s, t). A pair evolves where the effect comes "
      "some times after the cause (1 to {}) at least {:.1f} times as often as it comes that long "
      "before it, and four standard deviations more often. All splits are counted, relations of at "
      "least {} facts. The counterpart of a fact is what it follows from: its reverse, the inverse "
      "fact, the cause. A relation may have several patterns.",
      patterns.split, longest_lag, least_lift, fewest_facts)});
  Table table{.caption = fmt::format("MRR on the {} split, by pattern", patterns.split),
              .columns = {"relations", "number", "facts", "MRR", "counterpart in training: facts",
                          "MRR", "not in training: facts", "MRR"},
              .rows = {}};
  for (const PatternTreatment& t : patterns.treatments) {
    const bool counted = t.pattern != RelationPattern::none;
    table.rows.push_back(
        {std::string(name_of(t.pattern)), grouped(t.relations), grouped(t.all.facts), mrr_of(t.all),
         counted ? grouped(t.known.facts) : "", counted ? mrr_of(t.known) : "",
         counted ? grouped(t.unknown.facts) : "", counted ? mrr_of(t.unknown) : ""});
  }
  table.rows.push_back(
      {"all", "", grouped(patterns.all.facts), mrr_of(patterns.all), "", "", "", ""});
  report.blocks.emplace_back(table);
}

void add_distances(Report& report, const Patterns& patterns) {
  report.blocks.emplace_back(Heading{"The algebra"});
  if (!patterns.no_distances.empty()) {
    report.blocks.emplace_back(Paragraph{"Not measured: " + patterns.no_distances + "."});
    return;
  }
  report.blocks.emplace_back(Paragraph{fmt::format(
      "Leaving the shifts aside, a relation is symmetric exactly where R = R†, two are inverse "
      "where R₁ = R₂†, and one evolves into another where R₁(t₁) = R₂(t₂)† (without the dagger "
      "where the effect runs the same way). The distance is ‖R₁ − R₂†‖ / √(2‖R₁‖² + 2‖R₂‖²): 0 "
      "where that holds, {:.3f} for unrelated transforms, 1 where the opposite holds; over {} of "
      "the {} times, evenly spaced, and relations of at least {} training facts. The reciprocal "
      "embedding that a relation has for queries about the subject is its inverse by construction: "
      "its distance shows how near training comes.",
      std::sqrt(0.5), patterns.sampled_times, patterns.times, fewest_facts)});
  Table table{.caption = "How far transforms are from what their pattern asks for",
              .columns = {"distance of", "pairs", "mean", "deviation"},
              .rows = {}};
  for (const PatternDistance& d : patterns.distances)
    table.rows.push_back({d.of, grouped(d.pairs), d.pairs > 0 ? three_digits(d.mean) : no_figure,
                          d.pairs > 1 ? three_digits(d.deviation) : no_figure});
  report.blocks.emplace_back(table);
}

std::string described(const PatternRelation& found) {
  if (found.pattern == RelationPattern::symmetric) return printable(found.relation);
  const std::string relation = printable(found.relation), other = printable(found.other);
  if (found.pattern == RelationPattern::inverse) return relation + " ↔ " + other;
  return fmt::format("{} → {} ({} later{})", relation, other, found.lag,
                     found.turned ? ", turned" : "");
}

void add_relations(Report& report, const Patterns& patterns, RelationPattern pattern) {
  const bool evolving = pattern == RelationPattern::evolving;
  Table table{.caption = fmt::format("What is {}, by its facts in all splits", name_of(pattern)),
              .columns = {"relations", "facts", evolving ? "followed, %" : "reversed, %"},
              .rows = {}};
  if (evolving) table.columns.emplace_back("preceded, %");
  table.columns.emplace_back(
      fmt::format("{} facts{}", patterns.split, evolving ? " of the effect" : ""));
  table.columns.emplace_back("MRR");
  if (patterns.no_distances.empty()) table.columns.emplace_back("distance");
  for (const PatternRelation& found : patterns.relations) {
    if (found.pattern != pattern) continue;
    const auto share = [&](std::uint64_t part) {
      return percent(static_cast<double>(part) / static_cast<double>(found.facts));
    };
    std::vector<std::string> row = {described(found), grouped(found.facts), share(found.agreeing)};
    if (evolving) row.push_back(share(found.by_chance));
    row.push_back(grouped(found.score.facts));
    row.push_back(mrr_of(found.score));
    if (patterns.no_distances.empty()) row.push_back(three_digits(found.distance));
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) report.blocks.emplace_back(table);
}

nlohmann::ordered_json score_json(const FactsScore& score) {
  return {{"facts", score.facts}, {"mrr", score.mrr}};
}

}  // namespace

Report patterns_report(const Patterns& patterns) {
  Report report{.title = "How a model treats symmetric, inverse and evolving relations",
                .blocks = {}};
  add_treatments(report, patterns);
  add_distances(report, patterns);
  report.blocks.emplace_back(Heading{"The relations"});
  if (patterns.relations.empty())
    report.blocks.emplace_back(Paragraph{"No relation of this data has any of these patterns."});
  for (const RelationPattern pattern :
       {RelationPattern::symmetric, RelationPattern::inverse, RelationPattern::evolving})
    add_relations(report, patterns, pattern);
  return report;
}

nlohmann::ordered_json patterns_json(const Patterns& patterns) {
  nlohmann::ordered_json json = {{"split", patterns.split}, {"all", score_json(patterns.all)}};
  json["patterns"] = nlohmann::ordered_json::array();
  for (const PatternTreatment& t : patterns.treatments) {
    nlohmann::ordered_json row = {
        {"pattern", name_of(t.pattern)}, {"relations", t.relations}, {"all", score_json(t.all)}};
    if (t.pattern != RelationPattern::none) {
      row["counterpart_in_training"] = score_json(t.known);
      row["counterpart_unknown"] = score_json(t.unknown);
    }
    json["patterns"].push_back(row);
  }
  json["relations"] = nlohmann::ordered_json::array();
  for (const PatternRelation& found : patterns.relations) {
    nlohmann::ordered_json row = {{"pattern", name_of(found.pattern)},
                                  {"relation", found.relation},
                                  {"other", found.other},
                                  {"turned", found.turned},
                                  {"lag", found.lag},
                                  {"facts", found.facts},
                                  {"agreeing", found.agreeing},
                                  {"by_chance", found.by_chance},
                                  {"score", score_json(found.score)}};
    if (patterns.no_distances.empty()) row["distance"] = found.distance;
    json["relations"].push_back(row);
  }
  if (!patterns.no_distances.empty()) {
    json["no_distances"] = patterns.no_distances;
    return json;
  }
  json["times"] = patterns.times;
  json["sampled_times"] = patterns.sampled_times;
  json["distances"] = nlohmann::ordered_json::array();
  for (const PatternDistance& d : patterns.distances)
    json["distances"].push_back(
        {{"of", d.of}, {"pairs", d.pairs}, {"mean", d.mean}, {"deviation", d.deviation}});
  return json;
}

}  // namespace orrery
