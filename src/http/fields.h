// What an endpoint can be given, as a table: requests are checked and openapi.json is written by
// it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"

namespace orrery {

enum class FieldType { text, whole, flag, choice, texts };

struct Field {
  std::string_view name;
  FieldType type = FieldType::text;
  std::string_view sentence;
  std::string_view example = {};  // of a text
  bool required = false;
  std::int64_t least = 0, most = 0;            // of a whole number; of texts: how many
  std::int64_t preset = 0;                     // of a whole number
  std::vector<std::string_view> choices = {};  // the first is the default
};

// The values of an object's fields, all of which are in the table and as it says.
class FieldValues {
 public:
  FieldValues() = default;
  FieldValues(std::span<const Field> fields, nlohmann::json values)
      : fields_(fields), values_(std::move(values)) {}

  // Of a choice, too; empty: not given, or not in the table.
  std::string text(std::string_view name) const;
  std::int64_t whole(std::string_view name) const;
  bool flag(std::string_view name) const;  // false: not given
  std::vector<std::string> texts(std::string_view name) const;

 private:
  const Field& field(std::string_view name) const;

  std::span<const Field> fields_;
  nlohmann::json values_ = nlohmann::json::object();
};

// Whatever is unknown, missing, of another type or out of bounds is a Problem that names it.
FieldValues read_fields(std::span<const Field> fields, const nlohmann::json& object);
// From a query, where numbers are text and lists are repeated names.
FieldValues read_fields(std::span<const Field> fields, const HttpPairs& query);

// A body as JSON: not nested too deeply, UTF-8, no duplicate names; else a Problem of status 400.
nlohmann::json read_json_body(std::string_view body);

}  // namespace orrery
