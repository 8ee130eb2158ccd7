#include "data/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/sha256.h"

namespace orrery {
namespace {

constexpr char before_classes = '.';
constexpr std::size_t class_digits = 16;

std::string hash_of_classes(const Timeline& times) {
  Sha256 hash;
  hash.update(name_of(times.granularity));
  for (const TimeRow& row : times.rows) hash.update(fmt::format(" {}..{}", row.first, row.last));
  if (times.within) hash.update(" within");
  for (const TimeSpan& span : times.spans)
    hash.update(fmt::format(" {}..{}", span.first, span.last));
  return hash.hex_digest().substr(0, class_digits);
}

std::pair<std::string_view, std::string_view> facts_and_classes(std::string_view fingerprint) {
  const std::size_t end = fingerprint.find(before_classes);
  if (end == std::string_view::npos) return {fingerprint, {}};
  return {fingerprint.substr(0, end), fingerprint.substr(end + 1)};
}

}  // namespace

// Every text ends in a NUL, which no name can hold, and counts stand before the facts: no two data
// sets read the same.
std::string fingerprint_of_facts(const TemporalGraph& data) {
  constexpr std::size_t block = std::size_t{1} << 16;
  Sha256 hash;
  std::string text;
  const auto put = [&](std::string_view part) {
    text += part;
    text += '\0';
    if (text.size() < block) return;
    hash.update(text);
    text.clear();
  };
  for (const Split split : all_splits) {
    std::vector<Fact> sorted = data.split(split);
    std::sort(sorted.begin(), sorted.end());
    put(fmt::format("{} {}", name_of(split), sorted.size()));
    for (const Fact& fact : sorted) {
      put(data.entities.name(fact.subject));
      put(data.relations.name(fact.relation));
      put(data.entities.name(fact.object));
      put(data.times.moment_names.at(static_cast<std::size_t>(fact.when)));
    }
  }
  hash.update(text);
  return hash.hex_digest();
}

std::string fingerprint(const TemporalGraph& data) {
  std::string text = fingerprint_of_facts(data);
  return data.times.intervals ? text + before_classes + hash_of_classes(data.times) : text;
}

bool same_data(std::string_view one, std::string_view other) {
  const auto [facts, classes] = facts_and_classes(one);
  const auto [other_facts, other_classes] = facts_and_classes(other);
  return facts == other_facts &&
         (classes == other_classes || classes.empty() || other_classes.empty());
}

}  // namespace orrery
