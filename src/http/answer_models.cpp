// The models themselves: what they are, and the names they know.
#include "http/answers.h"
#include "http/service.h"
#include "orrery/options.h"
#include "orrery/version.h"
#include "page/card_json.h"
#include "page/scores_json.h"

namespace orrery {
namespace {

// Those that shape the model, by name.
nlohmann::ordered_json json_of_options(const TrainOptions& options) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const OptionInfo& info : option_table())
    if (info.decides == Decides::result) json[info.name] = option_text(options, info.name);
  return json;
}

nlohmann::ordered_json json_of_model(ServedModel& served) {
  const auto version = served.lend();
  const Model& model = version->model;
  nlohmann::ordered_json json = {{"name", served.name()}};
  json.update(card_to_json(model.card()));
  json["options"] = json_of_options(model.card().options);
  if (const auto& valid = model.training().summary.best_valid)
    json["scores"] = {{"valid", scores_to_json(*valid)}};
  if (version->facts) {
    json["facts"] = nlohmann::ordered_json::object();
    for (const Split split : all_splits)
      json["facts"][std::string(name_of(split))] = version->facts->facts(split).size();
  }
  json["changes"] = served.changes();
  return json;
}

nlohmann::ordered_json json_of_limits(const ServeLimits& limits) {
  return {{"connections", limits.connections},
          {"header_bytes", limits.header_bytes},
          {"body_bytes", limits.body_bytes},
          {"questions", limits.questions},
          {"waiting", limits.waiting},
          {"top", limits.top},
          {"names", limits.names}};
}

HttpResponse names_response(const Service& service, const FieldValues& given, const char* what,
                            const NameIndex ModelVersion::*index, RequestNotes& notes) {
  ServedModel& served = service.model_named(given.text("model"));
  notes.model = served.name();
  const auto version = served.lend();
  const auto found =
      ((*version).*index).find(given.text("query"), static_cast<std::size_t>(given.whole("top")));
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const std::string_view name : found.names) names.push_back({{"name", name}});
  return json_response({{"model", served.name()}, {what, std::move(names)}, {"more", found.more}});
}

}  // namespace

HttpResponse answer_info(const Service& service, Given, bool, RequestNotes&) {
  nlohmann::ordered_json models = nlohmann::ordered_json::array();
  for (const auto& served : service.models()) models.push_back(json_of_model(*served));
  return json_response({{"version", version()},
                        {"models", std::move(models)},
                        {"limits", json_of_limits(service.limits())}});
}

HttpResponse answer_entities(const Service& service, Given given, bool, RequestNotes& notes) {
  return names_response(service, given.front(), "entities", &ModelVersion::entities, notes);
}

HttpResponse answer_relations(const Service& service, Given given, bool, RequestNotes& notes) {
  return names_response(service, given.front(), "relations", &ModelVersion::relations, notes);
}

HttpResponse answer_times(const Service& service, Given given, bool, RequestNotes& notes) {
  ServedModel& served = service.model_named(given.front().text("model"));
  notes.model = served.name();
  const auto version = served.lend();
  const ModelCard& card = version->model.card();
  nlohmann::ordered_json times = nlohmann::ordered_json::array();
  for (const std::string& name : version->model.time_names()) times.push_back(name);
  return json_response({{"model", served.name()},
                        {"granularity", card.granularity},
                        {"intervals", card.intervals},
                        {"times", std::move(times)}});
}

}  // namespace orrery
