#include "http/endpoints.h"

#include "http/answers.h"
#include "http/schemas.h"
#include "orrery/serve.h"

namespace orrery {
namespace {

Field model_field(std::span<const std::string> models) {
  return {.name = "model",
          .type = FieldType::choice,
          .sentence = "which model; without it, the first that is served",
          .choices = {models.begin(), models.end()}};
}

Field whole_field(std::string_view name, std::string_view sentence, std::int64_t preset,
                  std::size_t most) {
  return {.name = name,
          .type = FieldType::whole,
          .sentence = sentence,
          .least = 1,
          .most = static_cast<std::int64_t>(most),
          .preset = preset};
}

std::vector<Field> name_fields(const ServeLimits& limits, std::int64_t preset, const Field& model) {
  return {{.name = "query",
           .sentence = "what the name begins with, or a word of it, or holds; case and accents "
                       "make no difference"},
          whole_field("top", "how many names", preset, limits.names),
          model};
}

// How a question is answered.
std::vector<Field> answer_fields(const ServeLimits& limits, const Field& model) {
  const auto most = static_cast<std::int64_t>(limits.names);
  return {whole_field("top", "how many answers", 10, limits.top),
          {.name = "known",
           .type = FieldType::choice,
           .sentence = "answers that are facts already: mark or hide them, or show all alike",
           .choices = {"mark", "hide", "show"}},
          {.name = "type",
           .type = FieldType::choice,
           .sentence = "seen: only what train has with this relation on that side",
           .choices = {"any", "seen"}},
          {.name = "only",
           .type = FieldType::texts,
           .sentence = "answers are among these",
           .most = most},
          {.name = "without",
           .type = FieldType::texts,
           .sentence = "answers are none of these",
           .most = most},
          {.name = "untrained",
           .type = FieldType::flag,
           .sentence = "ask of names that no training fact has, too; their embeddings are noise"},
          model};
}

std::vector<Field> with(std::vector<Field> first, std::vector<Field> then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

// One of them is left out, and asked for.
std::vector<Field> parts_of_question() {
  return {{.name = "subject", .sentence = "an entity"},
          {.name = "relation", .sentence = "a relation"},
          {.name = "object", .sentence = "an entity"},
          {.name = "time", .sentence = "a date, such as 2014-04-25"}};
}

std::vector<Field> parts_without_time() {
  return {{.name = "subject", .sentence = "an entity", .required = true},
          {.name = "relation", .sentence = "a relation", .required = true},
          {.name = "object", .sentence = "an entity", .required = true}};
}

}  // namespace

std::vector<Endpoint> all_endpoints(const ServeLimits& limits,
                                    std::span<const std::string> models) {
  const Field model = model_field(models);
  return {
      {.method = "GET",
       .path = "/healthz",
       .sentence = "The server is alive",
       .open = true,
       .schema = health_schema,
       .answer = answer_health},
      {.method = "GET",
       .path = "/readyz",
       .sentence = "The server takes questions; 503 while it stops",
       .open = true,
       .schema = health_schema,
       .answer = answer_ready},
      {.method = "GET",
       .path = "/metrics",
       .sentence = "Counts and times, as Prometheus reads them",
       .content_type = "text/plain; version=0.0.4; charset=utf-8",
       .answer = answer_metrics},
      {.method = "GET",
       .path = "/openapi.json",
       .sentence = "This description",
       .schema = R"({"type": "object"})",
       .answer = answer_openapi},
      {.method = "GET",
       .path = "/api/info",
       .sentence = "The models, what they were trained on and how well they did, and the limits",
       .schema = info_schema,
       .answer = answer_info},
      {.method = "GET",
       .path = "/api/entities",
       .sentence = "Entities by what is typed",
       .fields = name_fields(limits, 20, model),
       .schema = entities_schema,
       .answer = answer_entities},
      {.method = "GET",
       .path = "/api/relations",
       .sentence = "Relations, all of them or by what is typed",
       .fields = name_fields(limits, static_cast<std::int64_t>(limits.names), model),
       .schema = relations_schema,
       .answer = answer_relations},
      {.method = "GET",
       .path = "/api/times",
       .sentence = "The times that the model has embeddings of, in their order",
       .fields = {model},
       .schema = times_schema,
       .answer = answer_times},
      {.method = "POST",
       .path = "/api/predict",
       .sentence = "Answers to a question, or to each of a list: one of subject, relation, object "
                   "and time is left out and asked for; with all four, the fact is scored",
       .fields = with(parts_of_question(), answer_fields(limits, model)),
       .takes_list = true,
       .schema = answers_schema,
       .answer = answer_predict},
      {.method = "POST",
       .path = "/api/when",
       .sentence = "When a fact holds: its best times, and the curve over all of them",
       .fields = with(parts_without_time(), answer_fields(limits, model)),
       .takes_list = true,
       .schema = answers_schema,
       .answer = answer_predict},
      {.method = "POST",
       .path = "/api/explain",
       .sentence =
           "Why a fact has its score: ranks, attention, the curve over time, training facts "
           "by their influence, entities that are near",
       .fields =
           with(parts_without_time(),
                {{.name = "time", .sentence = "a date; not needed where the model knows none"},
                 whole_field("top", "facts for it, and against it", 10, limits.top),
                 whole_field("neighbours", "of the subject, and of the object", 5, limits.top),
                 {.name = "any_link",
                  .type = FieldType::flag,
                  .sentence = "facts as well that share one entity with it, and nothing else"},
                 model}),
       .schema = explanation_schema,
       .answer = answer_explain},
      {.method = "GET",
       .path = "/api/neighbours",
       .sentence = "The facts of an entity, latest first, and entities whose embeddings are near",
       .fields = {{.name = "entity", .sentence = "its name", .required = true},
                  whole_field("top", "how many facts", 20, limits.names),
                  model},
       .schema = neighbours_schema,
       .answer = answer_neighbours},
      {.method = "GET",
       .path = "/api/geometry",
       .sentence = "What a relation does to the embeddings of entities, and which others are like "
                   "it or like its reverse",
       .fields = {{.name = "relation", .sentence = "its name", .required = true},
                  {.name = "time", .sentence = "a date; not needed where the model knows none"},
                  {.name = "event",
                   .type = FieldType::choice,
                   .sentence = "of a model of starts and ends: which of them",
                   .choices = {"start", "end"}},
                  whole_field("top", "relations like it, and like its reverse", 5, limits.top),
                  {.name = "untrained",
                   .type = FieldType::flag,
                   .sentence = "of a relation that no training fact has, too"},
                  model},
       .schema = geometry_schema,
       .answer = answer_geometry},
  };
}

HttpResponse json_response(const nlohmann::ordered_json& json, int status) {
  // Names of data sets may hold bytes that are no UTF-8.
  return {
      .status = status,
      .body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"};
}

}  // namespace orrery
