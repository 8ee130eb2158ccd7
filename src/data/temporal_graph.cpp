#include "data/temporal_graph.h"

#include <span>

#include "base/crc32c.h"
#include "base/error.h"
#include "facts/date.h"

namespace orrery {
namespace {

// The same dates in one spelling: 1952 may be written 1952-##-##.
std::string spelled_alike(std::string_view dates) {
  std::string all;
  for (std::size_t begin = 0; begin <= dates.size();) {
    const std::size_t end = std::min(dates.find('\t', begin), dates.size());
    const std::string_view text = dates.substr(begin, end - begin);
    const ParsedDate parsed = parse_date(text);
    all += (parsed.known() ? text_of(parsed.date) : std::string(text)) + '\t';
    begin = end + 1;
  }
  return all;
}

}  // namespace

std::int32_t TemporalGraph::dates_key(const Fact& fact) const {
  if (!times.has_ends()) return 0;
  const std::string dates =
      spelled_alike(times.moment_names.at(static_cast<std::size_t>(fact.when)));
  const auto key = static_cast<std::int32_t>(crc32c(std::as_bytes(std::span(dates))));
  return key == 0 ? 1 : key;
}

std::string_view name_of(Split split) {
  switch (split) {
    case Split::train:
      return "train";
    case Split::valid:
      return "valid";
    default:
      return "test";
  }
}

Split split_named(std::string_view name) {
  for (const Split split : all_splits)
    if (name_of(split) == name) return split;
  fail_request(About{.option = "split", .advice = "there are train, valid and test"},
               "there is no split '{}'", name);
}

}  // namespace orrery
