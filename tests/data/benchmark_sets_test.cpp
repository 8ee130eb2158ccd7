// The published sets, where a copy of them lies beside the checkout: every count is known.
#include <gtest/gtest.h>

#include "data/data_check.h"
#include "data/load.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

struct Known {
  const char* name;
  std::uint64_t facts[3];
  std::int32_t entities, entities_in_train, relations, time_rows;
  std::uint64_t unseen_valid, unseen_test;
  std::uint64_t ends_before_start[3] = {0, 0, 0};
};

class BenchmarkSets : public ::testing::TestWithParam<Known> {};

fs::path directory_of(const std::string& name) {
  return fs::path(ORRERY_SOURCE_DIR) / ".." / "shared" / "data" / name;
}

TEST_P(BenchmarkSets, HaveThePublishedCounts) {
  const Known& known = GetParam();
  if (!fs::exists(directory_of(known.name))) GTEST_SKIP() << "no copy of the set is at hand";
  const DataCheck check = check_data(load_facts(directory_of(known.name)));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(check.splits[i].facts, known.facts[i]);
    EXPECT_EQ(check.splits[i].duplicates, 0U);
    EXPECT_EQ(check.splits[i].ends_before_start, known.ends_before_start[i]);
    EXPECT_EQ(check.overlaps[i].facts, 0U);
  }
  EXPECT_EQ(check.entities, known.entities);
  if (known.entities_in_train > 0) {
    EXPECT_EQ(check.entities_in_train, known.entities_in_train);
  }
  EXPECT_EQ(check.relations, known.relations);
  EXPECT_EQ(check.times, known.time_rows);
  EXPECT_EQ(check.splits[1].unseen_entity, known.unseen_valid);
  EXPECT_EQ(check.splits[2].unseen_entity, known.unseen_test);
}

INSTANTIATE_TEST_SUITE_P(
    All, BenchmarkSets,
    ::testing::Values(
        Known{"icews14", {72'826, 8'941, 8'963}, 7'128, 6'869, 230, 365, 152, 146},
        Known{"icews05-15", {368'962, 46'275, 46'092}, 10'488, 10'094, 251, 4'017, 219, 234},
        Known{"yago11k", {16'406, 2'050, 2'051}, 10'622, 0, 10, 388, 10, 5, {63, 6, 1}},
        Known{"wikidata12k", {32'497, 4'062, 4'062}, 12'554, 0, 24, 599, 11, 19, {7, 0, 3}}),
    [](const auto& set) {
      std::string name = set.param.name;
      std::erase(name, '-');
      return name;
    });

TEST(BenchmarkIntervals, TimeClassesMatchTheProtocol) {
  if (!fs::exists(directory_of("yago11k"))) GTEST_SKIP() << "no copy of the sets is at hand";
  const auto classes = [](const char* name, std::int64_t min_facts) {
    LoadOptions options;
    options.min_facts = min_facts;
    return load_facts(directory_of(name), options).times.size();
  };
  EXPECT_EQ(classes("yago11k", 100), 118);
  EXPECT_EQ(classes("yago11k", 300), 61);
  EXPECT_EQ(classes("wikidata12k", 1), 599);
  EXPECT_EQ(classes("wikidata12k", 300), 77);
}

TEST(BenchmarkIntervals, OddFactsAreKept) {
  if (!fs::exists(directory_of("yago11k"))) GTEST_SKIP() << "no copy of the sets is at hand";
  const TemporalGraph data = load_facts(directory_of("yago11k"));
  const std::uint64_t expected[] = {63, 6, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint64_t backwards = 0;
    for (const Fact& fact : data.facts[i]) {
      const Moment moment = data.times.moments[static_cast<std::size_t>(fact.when)];
      if (moment.end != Moment::unknown && moment.start > moment.end) ++backwards;
    }
    EXPECT_EQ(backwards, expected[i]);
  }
}

}  // namespace
}  // namespace orrery
