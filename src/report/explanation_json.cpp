#include <nlohmann/json.hpp>
#include <vector>

#include "orrery/report.h"
#include "report/explanation.h"

namespace orrery {
namespace {

using ExplanationJson = nlohmann::ordered_json;

template <class Part, class Make>
ExplanationJson list_of(const std::vector<Part>& parts, const Make& make) {
  ExplanationJson list = ExplanationJson::array();
  for (const Part& part : parts) list.push_back(make(part));
  return list;
}

ExplanationJson side_json(const ExplainedSide& side) {
  ExplanationJson json = {{"asked", side.asked},
                          {"score", side.score},
                          {"probability", side.probability},
                          {"rank", side.rank},
                          {"filtered_rank", side.filtered_rank},
                          {"known_others", side.known_others},
                          {"entities", side.entities}};
  if (!side.attention.empty())
    json["attention"] = list_of(side.attention, [](const AttentionWeight& one) {
      ExplanationJson weight = {{"view", one.view}};
      if (!one.part.empty()) weight["part"] = one.part;
      if (!one.event.empty()) weight["event"] = one.event;
      weight["weight"] = one.weight;
      return weight;
    });
  if (!side.history.empty())
    json["history"] = list_of(side.history, [](const HistoryTerm& one) {
      return ExplanationJson{
          {"feature", one.feature}, {"added", one.added}, {"sentence", one.sentence}};
    });
  return json;
}

ExplanationJson fact_json(const InfluentialFact& one) {
  ExplanationJson json = {{"subject", one.subject},
                          {"relation", one.relation},
                          {"object", one.object},
                          {"time", one.time}};
  if (!one.end.empty()) json["end"] = one.end;
  json["link"] = name_of(one.link);
  json["influence"] = one.influence;
  return json;
}

}  // namespace

nlohmann::ordered_json json_of(std::span<const Neighbour> neighbours) {
  ExplanationJson list = ExplanationJson::array();
  for (const Neighbour& one : neighbours)
    list.push_back({{"name", one.name}, {"similarity", one.similarity}});
  return list;
}

nlohmann::ordered_json json_of(const Explanation& explanation) {
  const Question& fact = explanation.fact;
  ExplanationJson json = {
      {"subject", fact.subject}, {"relation", fact.relation}, {"object", fact.object}};
  if (!fact.time.empty()) json["time"] = fact.time;
  if (!explanation.time.empty()) json["time_row"] = explanation.time;
  if (!explanation.note.empty()) json["note"] = explanation.note;
  json["known"] = nullptr;
  if (explanation.known)
    json["known"] = {{"split", name_of(explanation.known->split)},
                     {"now", explanation.known->now},
                     {"time", explanation.known->time}};
  json["sides"] = {side_json(explanation.object), side_json(explanation.subject)};
  json["curve"] = list_of(explanation.curve, [](const TimeScore& at) {
    return ExplanationJson{{"time", at.time}, {"score", at.score}, {"probability", at.probability}};
  });
  json["supporting"] = list_of(explanation.supporting, fact_json);
  json["opposing"] = list_of(explanation.opposing, fact_json);
  json["related_facts"] = explanation.related_facts;
  json["compared_facts"] = explanation.compared_facts;
  if (!explanation.influence_note.empty()) json["influence_note"] = explanation.influence_note;
  json["neighbours"] = {{"subject", json_of(explanation.near_subject)},
                        {"object", json_of(explanation.near_object)}};
  return json;
}

std::string explanation_json(const Explanation& explanation) {
  return json_of(explanation).dump(2, ' ', false, ExplanationJson::error_handler_t::replace);
}

}  // namespace orrery
