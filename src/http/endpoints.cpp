#include "http/endpoints.h"

#include "http/answers.h"
#include "http/schemas.h"
#include "orrery/serve.h"

namespace orrery {
namespace {

Field model_field() {
  return {.name = "model",
          .sentence = "which model; without it, the first that is served",
          .example = {}};
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

std::vector<Field> name_fields(const ServeLimits& limits, std::int64_t preset) {
  return {{.name = "query",
           .sentence = "what the name begins with, or a word of it, or holds; case and accents "
                       "make no difference"},
          whole_field("top", "how many names", preset, limits.names),
          model_field()};
}

std::vector<Field> question_fields(const ServeLimits& limits) {
  return {{.name = "subject", .sentence = "an entity; left out, it is asked for"},
          {.name = "relation", .sentence = "a relation"},
          {.name = "object", .sentence = "an entity; left out, it is asked for"},
          {.name = "time", .sentence = "a date, such as 2014-04-25"},
          whole_field("top", "how many answers", 10, limits.top),
          model_field()};
}

}  // namespace

std::vector<Endpoint> all_endpoints(const ServeLimits& limits) {
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
       .fields = name_fields(limits, 20),
       .schema = entities_schema,
       .answer = answer_entities},
      {.method = "GET",
       .path = "/api/relations",
       .sentence = "Relations, all of them or by what is typed",
       .fields = name_fields(limits, static_cast<std::int64_t>(limits.names)),
       .schema = relations_schema,
       .answer = answer_relations},
      {.method = "GET",
       .path = "/api/times",
       .sentence = "The times that the model has embeddings of, in their order",
       .fields = {model_field()},
       .schema = times_schema,
       .answer = answer_times},
      {.method = "POST",
       .path = "/api/predict",
       .sentence = "Answers to a question, or to each of a list",
       .fields = question_fields(limits),
       .takes_list = true,
       .schema = answers_schema,
       .answer = answer_predict},
  };
}

HttpResponse json_response(const nlohmann::ordered_json& json, int status) {
  // Names of data sets may hold bytes that are no UTF-8.
  return {
      .status = status,
      .body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"};
}

}  // namespace orrery
