#include "http/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/spelling.h"
#include "http/problem.h"

namespace orrery {
namespace {

[[noreturn]] void refuse_field(std::string_view name, std::string message,
                               std::string advice = {}) {
  throw Problem{422, std::move(message), std::string(name), std::move(advice)};
}

// A name as a client wrote it, which may be long or hold anything.
std::string shown(std::string_view name) {
  constexpr std::size_t most = 60;
  std::string text = nlohmann::json(std::string(name.substr(0, most)))
                         .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (name.size() > most) text += "…";
  return text;
}

const Field& field_named(std::span<const Field> fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  if (found != fields.end()) return *found;
  const Spelling spelling(name.substr(0, 100));
  const Field* nearest = nullptr;
  std::optional<double> least;
  std::vector<std::string_view> names;
  for (const Field& field : fields) {
    names.push_back(field.name);
    const auto difference = spelling.difference_to(field.name);
    if (!difference || (least && *least <= *difference)) continue;
    least = difference;
    nearest = &field;
  }
  std::string advice = names.empty() ? std::string("there are none")
                                     : fmt::format("there are {}", fmt::join(names, ", "));
  if (nearest) advice = fmt::format("did you mean '{}'?", nearest->name);
  refuse_field(name.size() > 60 ? std::string_view() : std::string_view(name),
               fmt::format("there is no field {}", shown(name)), std::move(advice));
}

// JSON's parser has checked that it is UTF-8; a query's has not.
void check_text(const Field& field, const std::string& text) {
  constexpr std::size_t longest = 4096;
  if (text.find('\0') != std::string::npos)
    refuse_field(field.name, fmt::format("'{}' holds a NUL character", field.name));
  if (text.size() > longest)
    refuse_field(field.name, fmt::format("'{}' is longer than {} bytes", field.name, longest));
}

void check_value(const Field& field, const nlohmann::json& value) {
  switch (field.type) {
    case FieldType::text:
    case FieldType::choice: {
      if (!value.is_string())
        refuse_field(field.name, fmt::format("'{}' is not a text", field.name));
      const auto& text = value.get_ref<const std::string&>();
      check_text(field, text);
      if (field.required && text.empty())
        refuse_field(field.name, fmt::format("'{}' is empty", field.name));
      if (field.type == FieldType::choice &&
          std::ranges::find(field.choices, text) == field.choices.end())
        refuse_field(field.name, fmt::format("'{}' is {}", field.name, shown(text)),
                     fmt::format("choose one of {}", fmt::join(field.choices, ", ")));
      return;
    }
    case FieldType::whole: {
      // Beyond 2^63 it is unsigned.
      const bool fits = value.is_number_integer() &&
                        (!value.is_number_unsigned() ||
                         value.get<std::uint64_t>() <= static_cast<std::uint64_t>(field.most));
      const bool in_bounds = fits && value.get<std::int64_t>() >= field.least &&
                             value.get<std::int64_t>() <= field.most;
      if (!in_bounds)
        refuse_field(field.name, fmt::format("'{}' is not a whole number from {} to {}", field.name,
                                             field.least, field.most));
      return;
    }
    case FieldType::flag:
      if (!value.is_boolean())
        refuse_field(field.name, fmt::format("'{}' is neither true nor false", field.name));
      return;
    case FieldType::texts: {
      if (!value.is_array())
        refuse_field(field.name, fmt::format("'{}' is not a list of texts", field.name));
      if (value.size() > static_cast<std::size_t>(field.most))
        refuse_field(field.name,
                     fmt::format("'{}' has more than {} entries", field.name, field.most));
      for (const auto& one : value) {
        if (!one.is_string())
          refuse_field(field.name, fmt::format("'{}' holds what is not a text", field.name));
        check_text(field, one.get_ref<const std::string&>());
      }
      return;
    }
  }
}

bool is_utf8(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

nlohmann::json value_of_query(const Field& field, const std::string& text) {
  if (!is_utf8(text)) refuse_field(field.name, fmt::format("'{}' is not UTF-8", field.name));
  if (field.type != FieldType::whole) return text;
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return nullptr;
  return number;
}

}  // namespace

const Field& FieldValues::field(std::string_view name) const {
  return *std::ranges::find(fields_, name, &Field::name);
}

std::string FieldValues::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->get<std::string>();
  const auto known = std::ranges::find(fields_, name, &Field::name);
  const bool has_default = known != fields_.end() && !known->choices.empty();
  return has_default ? std::string(known->choices.front()) : std::string();
}

std::int64_t FieldValues::whole(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? field(name).preset : found->get<std::int64_t>();
}

bool FieldValues::flag(std::string_view name) const {
  const auto found = values_.find(name);
  return found != values_.end() && found->get<bool>();
}

std::vector<std::string> FieldValues::texts(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>()
                                : found->get<std::vector<std::string>>();
}

FieldValues read_fields(std::span<const Field> fields, const nlohmann::json& object) {
  if (!object.is_object())
    throw Problem{422, "this is not a JSON object", "", R"(send one such as {"subject": "…"})"};
  nlohmann::json values = nlohmann::json::object();
  for (const auto& [name, value] : object.items()) {
    const Field& field = field_named(fields, name);
    if (value.is_null()) continue;  // as if it were not there
    check_value(field, value);
    values[name] = value;
  }
  for (const Field& field : fields)
    if (field.required && !values.contains(field.name))
      refuse_field(field.name, fmt::format("'{}' is missing", field.name));
  return {fields, std::move(values)};
}

FieldValues read_fields(std::span<const Field> fields, const HttpPairs& query) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, text] : query) {
    const Field& field = field_named(fields, name);
    nlohmann::json value = value_of_query(field, text);
    if (value.is_null())
      refuse_field(name, fmt::format("'{}' is not a whole number from {} to {}", name, field.least,
                                     field.most));
    if (field.type == FieldType::texts) {
      object[name].push_back(std::move(value));
    } else {
      if (object.contains(name)) refuse_field(name, fmt::format("'{}' is given twice", name));
      object[name] = std::move(value);
    }
  }
  return read_fields(fields, object);
}

nlohmann::json read_json_body(std::string_view body) {
  constexpr int deepest = 8;
  std::vector<std::set<std::string>> names;  // of the objects around a place
  const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (depth > deepest) throw Problem{400, "the body is nested too deeply"};
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event == Event::key && !names.back().insert(parsed.get<std::string>()).second)
      throw Problem{400, "the body names a field twice", parsed.get<std::string>().substr(0, 60)};
    return true;
  };
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Problem{400, "the body is empty", "", "send a JSON object"};
  try {
    return nlohmann::json::parse(body, watch);
  } catch (const nlohmann::json::parse_error& error) {
    throw Problem{400, fmt::format("the body is not JSON, from byte {} on", error.byte)};
  } catch (const nlohmann::json::exception&) {  // a number beyond all bounds
    throw Problem{400, "the body holds a number that is too large"};
  }
}

}  // namespace orrery
