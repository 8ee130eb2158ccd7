#include "judge/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "judge/questions.h"
#include "page/text_table.h"

namespace orrery {
namespace {

std::vector<std::string> head(std::string_view first) {
  return {std::string(first), "queries", "MRR", "Hits@1", "Hits@3", "Hits@10"};
}

std::vector<std::string> row(std::string_view name, const Metrics& metrics) {
  return {printable(name),        grouped(metrics.count), percent(metrics.mrr),
          percent(metrics.hits1), percent(metrics.hits3), percent(metrics.hits10)};
}

}  // namespace

std::string judgement_table(const Judgement& judgement) {
  TextTable table(head("percent"));
  for (const auto& [name, metrics] :
       {std::pair<std::string_view, const Metrics&>{"both directions", judgement.pessimistic},
        {"  realistic ties", judgement.realistic},
        {"  optimistic ties", judgement.optimistic},
        {"object asked", judgement.object},
        {"subject asked", judgement.subject}}) {
    table.add(row(name, metrics));
  }
  const UnseenCounts& unseen = judgement.unseen;
  std::string text = fmt::format(
      "{}: {} facts, each asked for its object and its subject\n\n{}", name_of(judgement.split),
      grouped(judgement.counts.size() / questions_per_fact), table.text());
  if (unseen.any > 0) {
    text += fmt::format(
        "\n{} queries touch what training never saw (an entity: {}, a relation: {}, a time: {})\n",
        grouped(unseen.any), grouped(unseen.entity), grouped(unseen.relation),
        grouped(unseen.time));
  }
  return text;
}

std::string breakdown_table(std::span<const BreakdownRow> rows, BreakdownBy by, std::size_t most) {
  const std::size_t shown = most == 0 ? rows.size() : std::min(most, rows.size());
  TextTable table(head(name_of(by)));
  for (const BreakdownRow& part : rows.first(shown)) table.add(row(part.name, part.metrics));
  std::string text = table.text();
  if (shown < rows.size()) text += fmt::format("… and {} more\n", grouped(rows.size() - shown));
  return text;
}

nlohmann::ordered_json metrics_json(const Metrics& metrics) {
  return {{"queries", metrics.count},
          {"mrr", metrics.mrr},
          {"hits1", metrics.hits1},
          {"hits3", metrics.hits3},
          {"hits10", metrics.hits10}};
}

nlohmann::ordered_json judgement_json(const Judgement& judgement) {
  nlohmann::ordered_json json = {{"split", name_of(judgement.split)}};
  json.update(metrics_json(judgement.pessimistic));
  json["realistic"] = metrics_json(judgement.realistic);
  json["optimistic"] = metrics_json(judgement.optimistic);
  json["object"] = metrics_json(judgement.object);
  json["subject"] = metrics_json(judgement.subject);
  const UnseenCounts& unseen = judgement.unseen;
  json["unseen"] = {{"entity", unseen.entity},
                    {"relation", unseen.relation},
                    {"time", unseen.time},
                    {"any", unseen.any}};
  return json;
}

nlohmann::ordered_json breakdown_json(std::span<const BreakdownRow> rows, BreakdownBy by) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const BreakdownRow& part : rows) {
    nlohmann::ordered_json one = {{name_of(by), part.name}};
    one.update(metrics_json(part.metrics));
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace orrery
