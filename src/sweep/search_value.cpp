#include "sweep/search_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <concepts>

#include "base/tsv_table.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "orrery/compare.h"

namespace orrery {
namespace {

ValueKind kind_of(const std::string&) { return ValueKind::text; }
ValueKind kind_of(const std::vector<std::string>&) { return ValueKind::texts; }
ValueKind kind_of(bool) { return ValueKind::truth; }
ValueKind kind_of(double) { return ValueKind::real; }
template <std::integral Number>
ValueKind kind_of(Number) {
  return ValueKind::whole;
}

void read_value(const std::string& text, std::string_view, std::string& value) { value = text; }
void read_value(const std::string& text, std::string_view, std::vector<std::string>& value) {
  value = split_words(text, ',');
}
void read_value(const std::string& text, std::string_view name, bool& value) {
  if (text != "true" && text != "false")
    fail_request("{} is '{}', but must be true or false", name, text);
  value = text == "true";
}
template <class Number>
requires(std::integral<Number> ||
         std::floating_point<Number>) void read_value(const std::string& text,
                                                      std::string_view name, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end)
    fail_request("{} is '{}', but must be a {}", name, text,
                 std::integral<Number> ? "whole number" : "number");
}

std::string text_of(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
template <class Value>
std::string text_of(const Value& value) {
  return fmt::format("{}", value);
}

// Calls use(value) for the option of that name, if there is one.
template <class Options, class Use>
bool with_option(Options& options, std::string_view name, const Use& use) {
  bool known = false;
  visit_options(options, [&](const OptionInfo& info, auto& value) {
    if (info.name != name) return;
    known = true;
    use(value);
  });
  return known;
}

[[noreturn]] void fail_unknown(std::string_view name) {
  fail_request("there is no option '{}'; `orrery train --help` lists them", name);
}

}  // namespace

ValueKind kind_of_option(std::string_view name) {
  ValueKind kind = ValueKind::none;
  const TrainOptions defaults;
  with_option(defaults, name, [&](const auto& value) { kind = kind_of(value); });
  return kind;
}

void set_option(TrainOptions& options, std::string_view name, const std::string& text) {
  if (!with_option(options, name, [&](auto& value) { read_value(text, name, value); }))
    fail_unknown(name);
}

std::string option_text(const TrainOptions& options, std::string_view name) {
  std::string text;
  if (!with_option(options, name, [&](const auto& value) { text = text_of(value); }))
    fail_unknown(name);
  return text;
}

std::string checked_value(std::string_view name, const std::string& text) {
  TrainOptions options = comparison_defaults();
  set_option(options, name, text);
  check_values(options);
  if (name == "model") variant_of(options);
  return option_text(options, name);
}

}  // namespace orrery
