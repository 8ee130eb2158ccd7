#include "http/openapi.h"

#include <fmt/format.h>

#include "http/schemas.h"
#include "orrery/serve.h"
#include "orrery/version.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const Field& field) {
  switch (field.type) {
    case FieldType::whole:
      return {{"type", "integer"},
              {"minimum", field.least},
              {"maximum", field.most},
              {"default", field.preset}};
    case FieldType::flag:
      return {{"type", "boolean"}, {"default", false}};
    case FieldType::choice: {
      Json choices = Json::array();
      for (const std::string_view choice : field.choices) choices.push_back(choice);
      return {{"type", "string"}, {"default", choices.front()}, {"enum", choices}};
    }
    case FieldType::texts:
      return {{"type", "array"}, {"maxItems", field.most}, {"items", {{"type", "string"}}}};
    case FieldType::text:
      break;
  }
  Json schema = {{"type", "string"}};
  if (field.required) schema["minLength"] = 1;
  if (!field.example.empty()) schema["example"] = field.example;
  return schema;
}

Json object_schema(std::span<const Field> fields) {
  Json properties = Json::object(), required = Json::array();
  for (const Field& field : fields) {
    Json schema = schema_of(field);
    schema["description"] = field.sentence;
    properties[std::string(field.name)] = std::move(schema);
    if (field.required) required.push_back(field.name);
  }
  Json schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

Json query_of(std::span<const Field> fields) {
  Json parameters = Json::array();
  for (const Field& field : fields)
    parameters.push_back({{"name", field.name},
                          {"in", "query"},
                          {"required", field.required},
                          {"description", field.sentence},
                          {"schema", schema_of(field)}});
  return parameters;
}

// Of one object; with lists, also of a list of them, where a wrong one has an error in its place.
Json or_list(Json one, const Json& in_list, std::size_t most) {
  Json list = {{"type", "array"}, {"maxItems", most}, {"items", in_list}};
  return {{"oneOf", Json::array({std::move(one), std::move(list)})}};
}

Json content(std::string_view type, Json schema) {
  return {{std::string(type), {{"schema", std::move(schema)}}}};
}

Json refusal(const char* description) {
  return {{"description", description},
          {"content", content("application/json", {{"$ref", "#/components/schemas/Error"}})}};
}

Json responses_of(const Endpoint& endpoint, const ServeLimits& limits, bool wants_token) {
  Json schema = endpoint.schema.empty() ? Json{{"type", "string"}} : Json::parse(endpoint.schema);
  if (endpoint.takes_list) {
    const Json error = {{"$ref", "#/components/schemas/Error"}};
    schema = or_list(schema, {{"anyOf", Json::array({schema, error})}}, limits.questions);
  }
  Json responses = {{"200",
                     {{"description", endpoint.sentence},
                      {"content", content(endpoint.content_type, std::move(schema))}}}};
  if (wants_token && !endpoint.open)
    responses["401"] = refusal("a token is required, or it is wrong");
  responses["400"] = refusal("this is no request that could be read");
  responses["403"] = refusal("the server does not answer to that host name");
  responses["422"] = refusal("a field is wrong; the error names it");
  if (endpoint.method == "POST") {
    responses["411"] = refusal("the request has no Content-Length");
    responses["413"] = refusal("the body, or the list in it, is too large");
    responses["415"] = refusal("the body is not announced as JSON");
    responses["429"] = refusal("too many questions are waiting");
  }
  responses["503"] = refusal("the server is stopping or too busy");
  return responses;
}

}  // namespace

nlohmann::ordered_json openapi(std::span<const Endpoint> endpoints, const ServeLimits& limits,
                               bool wants_token) {
  Json paths = Json::object();
  for (const Endpoint& endpoint : endpoints) {
    Json operation = {{"summary", endpoint.sentence}};
    if (wants_token && endpoint.open) operation["security"] = Json::array();
    if (endpoint.method == "POST") {
      Json schema = object_schema(endpoint.fields);
      if (endpoint.takes_list) schema = or_list(schema, schema, limits.questions);
      operation["requestBody"] = {{"required", true},
                                  {"content", content("application/json", std::move(schema))}};
    } else if (!endpoint.fields.empty()) {
      operation["parameters"] = query_of(endpoint.fields);
    }
    operation["responses"] = responses_of(endpoint, limits, wants_token);
    const std::string method = endpoint.method == "POST" ? "post" : "get";
    paths[std::string(endpoint.path)][method] = std::move(operation);
  }
  Json json = {{"openapi", "3.0.3"},
               {"info",
                {{"title", "Orrery"},
                 {"description", "Questions to models of temporal knowledge graphs"},
                 {"version", version()}}},
               {"paths", std::move(paths)},
               {"components",
                {{"schemas",
                  {{"Error", Json::parse(error_schema)},
                   {"InfluentialFact", Json::parse(influential_fact_schema)},
                   {"LikeRelation", Json::parse(like_relation_schema)}}}}}};
  if (wants_token) {
    json["security"] = Json::array({{{"token", Json::array()}}});
    json["components"]["securitySchemes"] = {{"token", {{"type", "http"}, {"scheme", "bearer"}}}};
  }
  return json;
}

}  // namespace orrery
