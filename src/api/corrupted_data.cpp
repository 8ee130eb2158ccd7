#include "api/corrupted_data.h"

#include <set>

#include "api/dataset_state.h"
#include "base/random.h"

namespace orrery {
namespace {

constexpr std::uint64_t corruption_key = 0x636f7272757074, most_draws_of_entity = 64;

}  // namespace

CorruptedData corrupted_data(const Dataset& data, double share, std::uint64_t seed) {
  const DatasetState& whole = data.state();
  TemporalGraph graph = whole.graph;
  std::set<Fact> taken;
  for (const auto& split : graph.facts) taken.insert(split.begin(), split.end());
  std::map<Fact, std::string> replaced;
  const auto entities = static_cast<std::uint32_t>(graph.entities.size());
  auto& facts = graph.facts[static_cast<std::size_t>(Split::train)];
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const std::uint64_t key = random_bits(seed ^ corruption_key, i);
    if (random_uniform(key, 0) >= share) continue;
    Fact wrong = facts[i];
    std::int32_t& side = random_below(key, 1, 2) == 0 ? wrong.object : wrong.subject;
    const std::int32_t was = side;
    for (std::uint64_t draw = 0; draw < most_draws_of_entity && taken.contains(wrong); ++draw)
      side = static_cast<std::int32_t>(random_below(key, draw + 2, entities));
    if (!taken.insert(wrong).second) continue;  // nearly every entity would be true here
    replaced[wrong] = graph.entities.name(was);
    facts[i] = wrong;
  }
  return {Dataset(std::make_shared<DatasetState>(std::move(graph), whole.source, whole.options)),
          std::move(replaced)};
}

}  // namespace orrery
