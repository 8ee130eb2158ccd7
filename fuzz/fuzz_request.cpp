// Any bytes as the body and as the query of a request: values that the table allows, or a refusal
// of status 4xx; never anything else.
#include <cstddef>
#include <cstdint>
#include <string>

#include "http/fields.h"
#include "http/problem.h"

namespace {

const std::vector<orrery::Field> table = {
    {.name = "subject", .sentence = "a text"},
    {.name = "relation", .sentence = "a text", .required = true},
    {.name = "top",
     .type = orrery::FieldType::whole,
     .sentence = "a number",
     .least = 1,
     .most = 1000,
     .preset = 10},
    {.name = "untrained", .type = orrery::FieldType::flag, .sentence = "true or false"},
    {.name = "known",
     .type = orrery::FieldType::choice,
     .sentence = "a choice",
     .choices = {"mark", "hide"}},
    {.name = "only", .type = orrery::FieldType::texts, .sentence = "texts", .most = 3},
};

void look_at(const orrery::FieldValues& given) {
  const std::string known = given.text("known");
  const bool as_promised =
      given.whole("top") >= 1 && given.whole("top") <= 1000 &&
      (known == "mark" || known == "hide") && given.texts("only").size() <= 3 &&
      given.text("subject").find('\0') == std::string::npos && !given.text("relation").empty();
  if (!as_promised) __builtin_trap();
}

void expect_values_or_refusal(const auto& read) {
  try {
    look_at(read());
  } catch (const orrery::Problem& problem) {
    if (problem.status < 400 || problem.status >= 500 || problem.message.empty()) __builtin_trap();
    const std::string told = orrery::json_of(problem).dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    if (told.empty()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  expect_values_or_refusal(
      [&] { return orrery::read_fields(table, orrery::read_json_body(bytes)); });
  orrery::HttpPairs query;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('&', at), bytes.size());
    const std::string pair = bytes.substr(at, end - at);
    const std::size_t is = std::min(pair.find('='), pair.size());
    query.emplace_back(pair.substr(0, is), pair.substr(std::min(is + 1, pair.size())));
    at = end + 1;
  }
  expect_values_or_refusal([&] { return orrery::read_fields(table, query); });
  return 0;
}
