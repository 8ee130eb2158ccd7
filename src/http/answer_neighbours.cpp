// What is known of an entity, and which are like it.
#include <algorithm>
#include <vector>

#include "http/answers.h"
#include "http/service.h"
#include "orrery/explain.h"
#include "orrery/options.h"
#include "report/explanation.h"

namespace orrery {
namespace {

constexpr std::size_t alike = 10;  // entities

struct FactOfEntity {
  Fact fact;
  Split split;
  std::int32_t when;
};

// Latest first. A walk over all facts: a hundred thousand take a tenth of a millisecond.
std::vector<FactOfEntity> facts_of(const Dataset& data, std::int32_t entity) {
  std::vector<FactOfEntity> found;
  for (const Split split : all_splits)
    for (const Fact& fact : data.facts(split))
      if (fact.subject == entity || fact.object == entity)
        found.push_back({fact, split, data.moment(fact).start});
  std::ranges::stable_sort(found, std::ranges::greater(), &FactOfEntity::when);
  return found;
}

nlohmann::ordered_json json_of_fact(const Dataset& data, const FactOfEntity& found) {
  const auto name = [](std::span<const std::string> names, std::int32_t id) {
    return names[static_cast<std::size_t>(id)];
  };
  const std::string& date = data.date(found.fact);
  const auto tab = date.find('\t');
  nlohmann::ordered_json json = {{"subject", name(data.entity_names(), found.fact.subject)},
                                 {"relation", name(data.relation_names(), found.fact.relation)},
                                 {"object", name(data.entity_names(), found.fact.object)},
                                 {"time", date.substr(0, tab)}};
  if (tab != std::string::npos) json["end"] = date.substr(tab + 1);
  json["split"] = name_of(found.split);
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
  json["nearest"] = json_of(nearest(version->model, entity, alike));
  if (!version->facts) return json_response(json);
  const Dataset& data = *version->facts;
  const auto id = data.find_entity(entity);
  const auto found = id ? facts_of(data, *id) : std::vector<FactOfEntity>();
  json["total"] = found.size();
  json["facts"] = nlohmann::ordered_json::array();
  const auto top = static_cast<std::size_t>(given.front().whole("top"));
  for (std::size_t i = 0; i < std::min(top, found.size()); ++i)
    json["facts"].push_back(json_of_fact(data, found[i]));
  return json_response(json);
}

}  // namespace orrery
