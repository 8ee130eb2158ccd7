// Fields of JSON that comes from a file. One that is missing, of another kind or out of bounds is a
// request Error that names it: the JSON library would cast it, or complain in its own words.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "base/mapped_file.h"
#include "orrery/scores.h"

namespace orrery {

// What a file holds; a discarded value where it cannot be read, or holds no JSON.
inline nlohmann::json json_of_file(const std::filesystem::path& file) {
  try {
    return nlohmann::json::parse(MappedFile(file).text(), nullptr, false);
  } catch (const Error&) {
    return nlohmann::json::value_t::discarded;
  }
}

template <class Json>
const Json& json_field(const Json& json, const char* name) {
  if (json.is_object())
    if (const auto found = json.find(name); found != json.end()) return *found;
  fail_request("there is no '{}'", name);
}

template <class Json>
double json_number(const Json& json, const char* name) {
  const Json& value = json_field(json, name);
  if (!value.is_number() || !std::isfinite(value.template get<double>()))
    fail_request("'{}' is not a number", name);
  return value;
}

template <class Json>
std::int64_t json_whole(const Json& json, const char* name, std::int64_t least = 0) {
  const Json& value = json_field(json, name);
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.template get<std::uint64_t>() > most) ||
      value.template get<std::int64_t>() < least)
    fail_request("'{}' is not a whole number from {} on", name, least);
  return value;
}

template <class Json>
std::uint64_t json_unsigned(const Json& json, const char* name) {
  const Json& value = json_field(json, name);
  if (!value.is_number_unsigned()) fail_request("'{}' is not a whole number from 0 on", name);
  return value;
}

template <class Json>
std::string json_text(const Json& json, const char* name) {
  const Json& value = json_field(json, name);
  if (!value.is_string()) fail_request("'{}' is not a text", name);
  return value;
}

// What an object says of one model's ranks: {"mrr": …, "hits1": …, "hits3": …, "hits10": …}. Only
// the MRR must be there: a figure that the writing version did not know yet is NaN.
template <class Json>
Scores json_scores(const Json& json) {
  Scores scores;
  scores.mrr = json_number(json, "mrr");
  for (const ScorePart& part : score_parts) {
    const std::string name(part.name);
    const bool known = json.contains(name) && !json[name].is_null();
    scores.*part.value = known ? json_number(json, name.c_str()) : unknown_figure;
  }
  if (json.contains("queries")) scores.queries = json_unsigned(json, "queries");
  return scores;
}

}  // namespace orrery
