// Options by name and as text, for front ends.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/error.h"
#include "base/spelling.h"
#include "learn/option_table.h"

namespace orrery {
namespace {

const OptionEntry& entry_named(std::string_view name) {
  std::string wanted(name);
  std::ranges::replace(wanted, '_', '-');
  const auto entries = option_entries();
  for (const OptionEntry& entry : entries)
    if (entry.info.name == wanted || std::ranges::count(entry.info.formerly, wanted) > 0)
      return entry;
  std::vector<std::string> known;
  for (const OptionEntry& entry : entries) known.push_back(entry.info.name);
  const std::string nearest = nearest_name(wanted, known);
  fail_request(About{.option = wanted,
                     .advice = nearest.empty() ? std::string("`orrery train --help` lists them")
                                               : fmt::format("did you mean '{}'?", nearest)},
               "there is no option '{}'", name);
}

[[noreturn]] void fail_text(const OptionInfo& info, const std::string& text,
                            std::string_view wanted) {
  fail_request(About{.option = info.name}, "{} is '{}', but must be {}", option_mark(info.name),
               text, wanted);
}

template <class Number>
void read_number(const OptionInfo& info, const std::string& text, Number& value,
                 std::string_view wanted) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) fail_text(info, text, wanted);
}

void read(const OptionInfo&, const std::string& text, std::string& value) { value = text; }
void read(const OptionInfo& info, const std::string& text, std::int64_t& value) {
  read_number(info, text, value, "a whole number");
}
void read(const OptionInfo& info, const std::string& text, std::uint64_t& value) {
  read_number(
      info, text, value,
      fmt::format("a whole number from 0 to {}", std::numeric_limits<std::uint64_t>::max()));
}
void read(const OptionInfo& info, const std::string& text, double& value) {
  read_number(info, text, value, "a number");
}
void read(const OptionInfo& info, const std::string& text, bool& value) {
  if (text != "true" && text != "false") fail_text(info, text, "true or false");
  value = text == "true";
}
void read(const OptionInfo&, const std::string& text, std::vector<std::string>& value) {
  value.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end > at) value.push_back(text.substr(at, end - at));
    at = end + 1;
  }
}

std::string shown(const std::string& value) { return value; }
std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
template <class Number>
std::string shown(Number value) {
  return fmt::format("{}", value);
}

}  // namespace

std::string_view name_of(OptionAbout about) {
  switch (about) {
    case OptionAbout::data:
      return "data";
    case OptionAbout::model:
      return "model";
    case OptionAbout::training:
      return "training";
    default:
      return "machine";
  }
}

std::span<const OptionInfo> option_table() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> infos;
    for (const OptionEntry& entry : option_entries()) infos.push_back(entry.info);
    return infos;
  }();
  return table;
}

const OptionInfo& option_named(std::string_view name) { return entry_named(name).info; }

OptionValue option_value(const TrainOptions& options, std::string_view name) {
  return value_of(options, entry_named(name));
}

void set_option(TrainOptions& options, std::string_view name, const OptionValue& value) {
  const OptionEntry& entry = entry_named(name);
  if (value.index() != entry.info.default_value.index())
    fail_request(About{.option = entry.info.name}, "{} is given a value of another type",
                 option_mark(entry.info.name));
  set_value(options, entry, value);
}

void set_option(TrainOptions& options, std::string_view name, const std::string& text) {
  const OptionEntry& entry = entry_named(name);
  OptionValue value = entry.info.default_value;
  std::visit([&](auto& v) { read(entry.info, text, v); }, value);
  set_value(options, entry, std::move(value));
}

void set_option(TrainOptions& options, std::string_view name, const char* text) {
  set_option(options, name, std::string(text));
}

std::string option_text(const OptionValue& value) {
  return std::visit([](const auto& v) { return shown(v); }, value);
}

std::string option_text(const TrainOptions& options, std::string_view name) {
  return option_text(option_value(options, name));
}

void set_options(TrainOptions& options, const OptionChanges& changes) {
  for (const auto& [name, text] : changes) set_option(options, name, text);
}

DataOptions data_options(const TrainOptions& options) {
  DataOptions reading = options.reading;
  reading.seed = reading.split_depends_on_seed() ? options.seed : DataOptions().seed;
  return reading;
}

std::string nearest_name(std::string_view word, std::span<const std::string> known) {
  const Spelling wanted(word);
  const std::string* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const std::string& name : known)
    if (const auto difference = wanted.difference_to(name); difference && *difference < least) {
      nearest = &name;
      least = *difference;
    }
  return nearest == nullptr ? "" : *nearest;
}

}  // namespace orrery
