#include "fetch/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fetch/world.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

bool is_hex(const std::string& text, std::size_t length) {
  return text.size() == length && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool is_known(const Checksum& checksum) {
  return is_hex(checksum.sha256, 64) || (checksum.sha256.empty() && is_hex(checksum.git_blob, 40));
}

TEST(Catalogue, HoldsTheFiveSetsWithTheirCounts) {
  struct Counts {
    std::string name;
    std::uint64_t train, valid, test, entities, relations;
  };
  const std::vector<Counts> expected = {{"icews14", 72'826, 8'941, 8'963, 7'128, 230},
                                        {"icews05-15", 368'962, 46'275, 46'092, 10'488, 251},
                                        {"gdelt", 2'735'685, 341'961, 341'961, 500, 20},
                                        {"yago11k", 16'406, 2'050, 2'051, 10'622, 10},
                                        {"wikidata12k", 32'497, 4'062, 4'062, 12'554, 24}};
  ASSERT_EQ(catalogue().size(), expected.size());
  for (const Counts& counts : expected) {
    const Benchmark& set = catalogue_entry(counts.name);
    ASSERT_EQ(set.splits.size(), 3U);
    EXPECT_EQ(set.splits[0].facts, counts.train);
    EXPECT_EQ(set.splits[1].facts, counts.valid);
    EXPECT_EQ(set.splits[2].facts, counts.test);
    EXPECT_EQ(set.entities, counts.entities);
    EXPECT_EQ(set.relations, counts.relations);
  }
}

TEST(Catalogue, EveryFileIsKnownByAHashOfItsOwn) {
  std::set<std::string> seen;
  for (const Benchmark& set : catalogue()) {
    EXPECT_TRUE(set.home.starts_with("https://")) << set.name;
    EXPECT_FALSE(set.licence.empty()) << set.name;
    for (const HomeFile& list : set.id_lists) {
      EXPECT_TRUE(is_known(list.checksum)) << set.name << " " << list.name;
      EXPECT_TRUE(seen.insert(list.checksum.expected()).second);
    }
    for (const BenchmarkSplit& split : set.splits) {
      EXPECT_TRUE(is_known(split.home.checksum)) << set.name << " " << split.name;
      EXPECT_TRUE(seen.insert(split.home.checksum.expected()).second);
      ASSERT_FALSE(split.finished.empty());
      for (const Checksum& finished : split.finished) EXPECT_TRUE(is_known(finished));
    }
  }
}

TEST(Catalogue, EveryFileHasASizeOrABound) {
  constexpr std::uint64_t github_limit = 100 << 20;
  for (const Benchmark& set : catalogue()) {
    for (const HomeFile& list : set.id_lists) EXPECT_GT(list.checksum.size.most, 0U) << list.name;
    for (const BenchmarkSplit& split : set.splits) {
      // A fact is three names or ids and a date.
      EXPECT_GT(split.home.checksum.size.most, split.facts * 16) << set.name << " " << split.name;
      EXPECT_LE(split.home.checksum.size.most, github_limit) << set.name << " " << split.name;
      for (const Checksum& finished : split.finished) EXPECT_GT(finished.size.most, 0U);
    }
  }
}

TEST(Catalogue, AnUnknownNameListsTheKnownOnes) {
  const Error error = caught([] { catalogue_entry("icews15"); });
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_NE(error.advice().find("icews05-15"), std::string::npos);
}

class CatalogueCopies : public FetchWorld, public testing::WithParamInterface<const char*> {};

TEST_P(CatalogueCopies, LocalCopiesAreTheSetsOfTheCatalogue) {
  const fs::path copies = fs::path(ORRERY_SOURCE_DIR) / "../shared/data" / GetParam();
  if (!fs::is_directory(copies)) GTEST_SKIP() << "no local copy of " << GetParam();
  FetchOptions options;
  options.from = copies.string();
  const Benchmark& set = catalogue_entry(GetParam());
  for (const auto& file : fetch_files(set, target_, options)) {
    const std::string text = content(target_ / file.name);
    EXPECT_EQ(static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')), file.facts);
    const auto split = std::ranges::find(set.splits, file.name, &BenchmarkSplit::name);
    const auto same = std::ranges::find_if(split->finished, [&](const Checksum& finished) {
      return finished.matches(digest_file(target_ / file.name)) && finished.size.exact;
    });
    ASSERT_NE(same, split->finished.end()) << file.name;
    EXPECT_EQ(same->size.most, file.bytes) << file.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, CatalogueCopies,
                         testing::Values("icews14", "icews05-15", "yago11k", "wikidata12k"),
                         [](const auto& set) {
                           std::string name = set.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace orrery
