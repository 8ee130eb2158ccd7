#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "data/load.h"

namespace orrery {

// Every text ends in a NUL, which no name can hold, and counts stand before the facts: no two data
// sets read the same.
std::string fingerprint(const Dataset& data) {
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

}  // namespace orrery
