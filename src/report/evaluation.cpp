#include "report/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/report.h"
#include "page/scores_json.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> head(std::string_view first) {
  std::vector<std::string> titles = {std::string(first), "queries"};
  for (const ScorePart& part : score_parts) titles.emplace_back(part.title);
  return titles;
}

std::vector<std::string> row(std::string_view name, const Scores& scores) {
  std::vector<std::string> cells = {printable(name), grouped(scores.queries)};
  for (const ScorePart& part : score_parts) cells.push_back(percent(scores.*part.value));
  return cells;
}

// Names are UTF-8; the path of a data set need not be.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string_view words_of(Protocol protocol) {
  switch (protocol) {
    case Protocol::points:
      return "";
    case Protocol::ends:
      return " by the ends of its interval";
    default:
      return " at a time within its interval";
  }
}

double share_of(const PatternScores& pattern) {
  return pattern.reachable_mrr > 0 ? pattern.scores.mrr / pattern.reachable_mrr : 0;
}

}  // namespace

std::string evaluation_table(const EvaluationScores& evaluation) {
  TextTable table(head("percent"));
  for (const auto& [name, scores] :
       {std::pair<std::string_view, const Scores&>{"both directions", evaluation.pessimistic},
        {"  realistic ties", evaluation.realistic},
        {"  optimistic ties", evaluation.optimistic},
        {"predicting the object", evaluation.object},
        {"predicting the subject", evaluation.subject}}) {
    table.add(row(name, scores));
  }
  const UnseenCounts& unseen = evaluation.unseen;
  std::string text = fmt::format("{}: {}, each asked for its object and its subject{}\n\n{}",
                                 name_of(evaluation.split),
                                 counted(evaluation.ranks.size() / queries_per_fact, "fact"),
                                 words_of(evaluation.protocol), table.text());
  if (unseen.any > 0) {
    text += fmt::format(
        "\n{} queries touch what training never saw (an entity: {}, a relation: {}, a time: {})\n",
        grouped(unseen.any), grouped(unseen.entity), grouped(unseen.relation),
        grouped(unseen.time));
  }
  return text;
}

std::string breakdown_table(std::span<const BreakdownRow> rows, By by, std::size_t most) {
  const std::size_t shown = most == 0 ? rows.size() : std::min(most, rows.size());
  TextTable table(head(name_of(by)));
  for (const BreakdownRow& part : rows.first(shown)) table.add(row(part.name, part.scores));
  std::string text = table.text();
  if (shown < rows.size()) text += fmt::format("… and {} more\n", grouped(rows.size() - shown));
  return text;
}

std::string patterns_table(std::span<const PatternScores> patterns) {
  TextTable table({"pattern", "queries", "MRR", "reachable", "reached"});
  for (const PatternScores& one : patterns)
    table.add({one.pattern, grouped(one.scores.queries), percent(one.scores.mrr),
               percent(one.reachable_mrr), percent(share_of(one)) + " %"});
  return table.text();
}

Json json_of(const EvaluationScores& evaluation) {
  Json json = {{"split", name_of(evaluation.split)}, {"protocol", name_of(evaluation.protocol)}};
  json.update(scores_to_json(evaluation.pessimistic));
  json["realistic"] = scores_to_json(evaluation.realistic);
  json["optimistic"] = scores_to_json(evaluation.optimistic);
  json["object"] = scores_to_json(evaluation.object);
  json["subject"] = scores_to_json(evaluation.subject);
  const UnseenCounts& unseen = evaluation.unseen;
  json["unseen"] = {{"entity", unseen.entity},
                    {"relation", unseen.relation},
                    {"time", unseen.time},
                    {"any", unseen.any}};
  return json;
}

Json json_of(std::span<const BreakdownRow> rows, By by) {
  Json list = Json::array();
  for (const BreakdownRow& part : rows) {
    Json one = {{name_of(by), part.name}};
    one.update(scores_to_json(part.scores));
    list.push_back(std::move(one));
  }
  return list;
}

std::string evaluation_json(const EvaluationScores& evaluation) {
  return text_of(json_of(evaluation));
}

std::string breakdown_json(std::span<const BreakdownRow> rows, By by) {
  return text_of(json_of(rows, by));
}

std::string patterns_json(std::span<const PatternScores> patterns) {
  Json list = Json::array();
  for (const PatternScores& one : patterns) {
    Json row = {{"pattern", one.pattern}};
    row.update(scores_to_json(one.scores));
    row["reachable_mrr"] = one.reachable_mrr;
    list.push_back(std::move(row));
  }
  return text_of(list);
}

}  // namespace orrery
