// What is known of an entity, and which are like it.
#include "http/answers.h"
#include "http/service.h"
#include "orrery/explain.h"
#include "orrery/options.h"
#include "report/explanation.h"

namespace orrery {
namespace {

constexpr std::size_t alike = 10;  // entities

nlohmann::ordered_json json_of_fact(const DatedFact& fact) {
  nlohmann::ordered_json json = {{"subject", fact.subject},
                                 {"relation", fact.relation},
                                 {"object", fact.object},
                                 {"time", fact.time}};
  if (!fact.end.empty()) json["end"] = fact.end;
  json["split"] = name_of(fact.split);
  return json;
}

const std::string& entity_named(const ModelVersion& version, const std::string& wanted) {
  if (const std::string* name = version.entities.exact(wanted)) return *name;
  const std::string near = nearest_name(wanted, version.model.entity_names());
  throw Problem{422, "there is no entity of this name", "entity",
                near.empty() ? "see /api/entities" : "did you mean \"" + near + "\"?"};
}

}  // namespace

HttpResponse answer_neighbours(const Service& service, Given given, bool, RequestNotes& notes) {
  ServedModel& served = service.model_named(given.front().text("model"));
  notes.model = served.name();
  const auto version = served.lend();
  const std::string& entity = entity_named(*version, given.front().text("entity"));
  nlohmann::ordered_json json = {{"model", served.name()}, {"entity", entity}};
  json["nearest"] = nlohmann::ordered_json::array();
  const Model& model = version->model;
  if (!model.card().mixture) json["nearest"] = json_of(nearest(model, entity, alike));
  if (!model.has_facts()) return json_response(json);
  const auto top = static_cast<std::size_t>(given.front().whole("top"));
  const FactsOfEntity found = facts_of(model, entity, top);
  json["total"] = found.total;
  json["facts"] = nlohmann::ordered_json::array();
  for (const DatedFact& fact : found.latest) json["facts"].push_back(json_of_fact(fact));
  return json_response(json);
}

}  // namespace orrery
