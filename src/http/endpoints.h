// What the server answers, as a table: requests are routed and checked by it, and openapi.json is
// written from it, so that neither can say what the other does not.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"
#include "http/fields.h"

namespace orrery {

class Service;
struct ServeLimits;

// What is known of a request beside its answer, for the log.
struct RequestNotes {
  std::size_t questions = 0;
  std::string model;
};

struct Endpoint {
  std::string_view method, path;
  std::string_view sentence;
  std::vector<Field> fields = {};  // of the query, or of the body's object
  bool takes_list = false;         // of such objects
  bool open = false;               // needs no token
  std::string_view content_type = "application/json";
  // Of the answer, as an OpenAPI schema in JSON; empty: it is a text.
  std::string_view schema = {};
  // `given`: one, or those of a list.
  HttpResponse (*answer)(const Service& service, std::span<const FieldValues> given, bool is_list,
                         RequestNotes& notes) = nullptr;
};

// The names of the models must outlive it.
std::vector<Endpoint> all_endpoints(const ServeLimits& limits, std::span<const std::string> models);

HttpResponse json_response(const nlohmann::ordered_json& json, int status = 200);

}  // namespace orrery
