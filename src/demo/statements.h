// A world of Wikidata's size and manners: a million things of six kinds, and what is true of them
// over which years. It is made one fact after another and never held in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "orrery/facts.h"

namespace orrery {

struct StatementShape {
  static constexpr std::string_view like = "wikidata";
  static constexpr std::int32_t fewest_relations = 20;  // between every two kinds that have any

  std::uint64_t facts[3] = {};  // by Split
  std::int32_t entities = 0, relations = 0, years = 0;
};

// 10 million facts, 1.2 million entities, 600 relations and 2,000 years. A smaller scale makes as
// much of the facts and entities; relations and years shrink by its square root.
StatementShape statement_shape(double scale = 1);

// Years count from 0; what holds in the last one has not ended.
struct Statement {
  std::int32_t subject = 0, relation = 0, object = 0;
  std::int32_t first_year = 0, last_year = 0;

  friend auto operator<=>(const Statement&, const Statement&) = default;
};

// Exactly the counts of the shape: no statement occurs twice, and each entity, relation and year is
// in train. All statements of a subject come together.
void make_statements(const StatementShape& shape, std::uint64_t seed,
                     const std::function<void(Split, const Statement&)>& take);

// Writes train.txt, valid.txt, test.txt and README.txt, as NewFiles does.
std::vector<std::filesystem::path> write_statement_world(const StatementShape& shape,
                                                         std::uint64_t seed,
                                                         const std::filesystem::path& directory);

}  // namespace orrery
