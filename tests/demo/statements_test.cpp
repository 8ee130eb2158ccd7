#include "demo/statements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "data/data_check.h"
#include "data/load.h"
#include "demo/statement_draw.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::ScratchDirectory;

constexpr double wiki_scale = 0.005;

struct WikiWorld {
  StatementShape shape;
  std::vector<Statement> statements[3];  // by Split
};

WikiWorld wiki_world_of(double scale, std::uint64_t seed) {
  WikiWorld world{statement_shape(scale), {}};
  make_statements(world.shape, seed, [&](Split split, const Statement& statement) {
    world.statements[static_cast<int>(split)].push_back(statement);
  });
  return world;
}

const WikiWorld& wiki_world() {
  static const WikiWorld world = wiki_world_of(wiki_scale, 1);
  return world;
}

// Descending.
std::vector<std::size_t> uses(const WikiWorld& world, std::int32_t Statement::*member) {
  std::map<std::int32_t, std::size_t> counts;
  for (const auto& split : world.statements)
    for (const Statement& statement : split) ++counts[statement.*member];
  std::vector<std::size_t> uses;
  for (const auto& [id, count] : counts) uses.push_back(count);
  std::ranges::sort(uses, std::greater{});
  return uses;
}

double share_of_first(const std::vector<std::size_t>& uses, std::size_t first) {
  std::size_t all = 0, these = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    all += uses[i];
    these += i < first ? uses[i] : 0;
  }
  return static_cast<double>(these) / static_cast<double>(all);
}

TEST(StatementShapes, AreWikidatasAtScaleOne) {
  const StatementShape shape = statement_shape();
  EXPECT_EQ(shape.facts[0], 8'000'000U);
  EXPECT_EQ(shape.facts[1], 1'000'000U);
  EXPECT_EQ(shape.facts[2], 1'000'000U);
  EXPECT_EQ(shape.entities, 1'200'000);
  EXPECT_EQ(shape.relations, 600);
  EXPECT_EQ(shape.years, 2'000);
}

TEST(StatementShapes, ShrinkInProportion) {
  const StatementShape shape = statement_shape(0.01);
  EXPECT_EQ(shape.facts[0], 80'000U);
  EXPECT_EQ(shape.facts[1], 10'000U);
  EXPECT_EQ(shape.facts[2], 10'000U);
  EXPECT_EQ(shape.entities, 12'000);
  EXPECT_EQ(shape.relations, 60);
  EXPECT_EQ(shape.years, 200);
  EXPECT_EQ(statement_shape(1e-4).relations, StatementShape::fewest_relations);
}

TEST(StatementShapes, RefuseWhatTheyCannotBe) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double scale : {0.0, -1.0, 9e-5, 1.0001, 1e300, infinity, -infinity,
                             std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(contains(refused([&] { statement_shape(scale); }), "at least 0.0001 and at most 1"))
        << scale;
  EXPECT_EQ(caught([] { statement_shape(2); }).option(), "scale");
}

class StatementWorlds : public ::testing::TestWithParam<std::tuple<double, std::uint64_t>> {};

TEST_P(StatementWorlds, HaveExactlyTheCountsOfTheirShape) {
  const auto& [scale, seed] = GetParam();
  const WikiWorld world = wiki_world_of(scale, seed);
  std::set<Statement> all;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(world.statements[i].size(), world.shape.facts[i]);
    all.insert(world.statements[i].begin(), world.statements[i].end());
  }
  EXPECT_EQ(all.size(), world.shape.facts[0] + world.shape.facts[1] + world.shape.facts[2]);
  for (const Statement& statement : all) {
    EXPECT_NE(statement.subject, statement.object);
    EXPECT_LE(statement.first_year, statement.last_year);
  }
  std::set<std::int32_t> entities, relations, years;
  for (const Statement& statement : world.statements[0]) {
    entities.insert({statement.subject, statement.object});
    relations.insert(statement.relation);
    years.insert({statement.first_year, statement.last_year});
  }
  const auto expect_all = [](const std::set<std::int32_t>& used, std::int32_t count) {
    EXPECT_EQ(used.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(*used.begin(), 0);
    EXPECT_EQ(*used.rbegin(), count - 1);
  };
  expect_all(entities, world.shape.entities);
  expect_all(relations, world.shape.relations);
  expect_all(years, world.shape.years);
}

INSTANTIATE_TEST_SUITE_P(ScalesAndSeeds, StatementWorlds,
                         ::testing::Combine(::testing::Values(1e-4, 3.3e-4, wiki_scale),
                                            ::testing::Values(0, 1, ~std::uint64_t{0})));

TEST(StatementWorld, IsTheSameForTheSameSeed) {
  const WikiWorld again = wiki_world_of(wiki_scale, 1), other = wiki_world_of(wiki_scale, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.statements[i], wiki_world().statements[i]);
    EXPECT_NE(other.statements[i], wiki_world().statements[i]);
  }
}

TEST(StatementWorld, HasFewRelationsAndEntitiesInManyFacts) {
  const auto relations = uses(wiki_world(), &Statement::relation);
  EXPECT_GT(share_of_first(relations, relations.size() / 4), 0.5);
  const auto objects = uses(wiki_world(), &Statement::object);
  EXPECT_GT(share_of_first(objects, objects.size() / 100), 0.25);
  EXPECT_LE(objects[objects.size() / 2], 4U);
  const auto subjects = uses(wiki_world(), &Statement::subject);
  EXPECT_GT(subjects.front(), 100U);
  EXPECT_LE(subjects[subjects.size() / 2], 8U);
}

TEST(StatementWorld, LeadsFromOneKindToOne) {
  const WikiWorld& world = wiki_world();
  const Things things(world.shape.entities, 1);
  std::map<std::int32_t, std::set<std::pair<Kind, Kind>>> kinds;
  for (const auto& split : world.statements)
    for (const Statement& statement : split)
      kinds[statement.relation].insert(
          {things.kind_of(statement.subject), things.kind_of(statement.object)});
  for (const auto& [relation, pairs] : kinds) EXPECT_EQ(pairs.size(), 1U) << relation;
}

TEST(StatementWorld, HoldsAtPointsOverYearsAndUntilToday) {
  const WikiWorld& world = wiki_world();
  double points = 0, open = 0;
  for (const Statement& statement : world.statements[0]) {
    points += statement.first_year == statement.last_year ? 1 : 0;
    open += statement.last_year == world.shape.years - 1 ? 1 : 0;
  }
  const auto facts = static_cast<double>(world.statements[0].size());
  EXPECT_GT(points / facts, 0.3);
  EXPECT_LT(points / facts, 0.7);
  EXPECT_GT(open / facts, 0.02);
  EXPECT_LT(open / facts, 0.3);
}

TEST(StatementWorld, IsWrittenAsItIs) {
  const ScratchDirectory scratch;
  const StatementShape& shape = wiki_world().shape;
  const auto files = write_statement_world(shape, 1, scratch.path() / "world");
  ASSERT_EQ(files.size(), 4U);
  LoadOptions options;
  options.within = true;
  const TemporalGraph data = load_facts(scratch.path() / "world", options);
  const DataCheck check = check_data(data);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(check.splits[i].facts, shape.facts[i]);
    EXPECT_EQ(check.splits[i].duplicates, 0U);
    EXPECT_EQ(check.splits[i].unseen_entity, 0U);
  }
  EXPECT_EQ(data.entities.size(), shape.entities);
  EXPECT_EQ(data.relations.size(), shape.relations);
  EXPECT_EQ(data.times.size(), shape.years);
  EXPECT_EQ(data.times.rows.back().label, "2024");
}

TEST(StatementWorld, IsNotWrittenOverAnother) {
  const ScratchDirectory scratch;
  const StatementShape shape = statement_shape(1e-4);
  const auto files = write_statement_world(shape, 1, scratch.path());
  EXPECT_EQ(write_statement_world(shape, 1, scratch.path()), files);
  EXPECT_TRUE(
      contains(refused([&] { write_statement_world(shape, 2, scratch.path()); }), "left alone"));
  // A part of it that is missing comes back; a longer file is another one.
  const std::string test = read_bytes(files[2]);
  std::filesystem::remove(files[2]);
  write_statement_world(shape, 1, scratch.path());
  EXPECT_EQ(read_bytes(files[2]), test);
  scratch.write("test.txt", test + "a\tb\tc\t2000\t2001\n");
  EXPECT_TRUE(
      contains(refused([&] { write_statement_world(shape, 1, scratch.path()); }), "left alone"));
}

// What is written is never held, so memory must not grow with it.
TEST(StatementWorld, IsWrittenInFlatMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer holds freed memory back";
#endif
  const ScratchDirectory scratch;
  const PeakMemory memory;
  const auto before = memory.bytes();
  write_statement_world(statement_shape(0.1), 1, scratch.path());
  const auto most = memory.bytes();
  if (before && most) {
    EXPECT_LT(*most - *before, std::uint64_t{4} << 20);
  }
  EXPECT_GT(std::filesystem::file_size(scratch.path() / "train.txt"), std::uint64_t{32} << 20);
}

}  // namespace
}  // namespace orrery
