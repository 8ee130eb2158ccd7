#include "data/data_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "data/fingerprint.h"
#include "data/load.h"
#include "data/within_graph.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::ScratchDirectory;

bool warns_of(const DataCheck& check, std::string_view part) {
  return std::any_of(check.warnings.begin(), check.warnings.end(),
                     [part](const std::string& warning) { return contains(warning, part); });
}

TEST(DataCheck, ACleanSetHasNoWarnings) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t2014\nb\tr\tc\t2015\nc\tr\ta\t2016\n");
  scratch.write("valid.txt", "a\tr\tc\t2015\n");
  scratch.write("test.txt", "b\tr\ta\t2016\n");
  const TemporalGraph data = load_facts(scratch.path());
  const DataCheck check = check_data(data);
  EXPECT_TRUE(check.warnings.empty()) << check.warnings.front();
  EXPECT_EQ(check.entities, 3);
  EXPECT_EQ(check.entities_in_train, 3);
  EXPECT_EQ(check.relations, 1);
  EXPECT_EQ(check.times, 3);
  EXPECT_EQ(check.first_time, "2014");
  EXPECT_EQ(check.last_time, "2016");
  EXPECT_EQ(check.splits[0].facts, 3U);
  EXPECT_EQ(check.fingerprint, fingerprint(data));
}

TEST(DataCheck, CountsDuplicatesWithinAndAcrossSplits) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t2014\na\tr\tb\t2014\na\tr\tb\t2014\nb\tr\tc\t2014\n");
  scratch.write("valid.txt", "a\tr\tb\t2014\na\tr\tb\t2014\nb\tr\tc\t2014\na\tr\tc\t2014\n");
  scratch.write("test.txt", "a\tr\tc\t2014\n");
  const DataCheck check = check_data(load_facts(scratch.path()));
  EXPECT_EQ(check.splits[0].duplicates, 2U);
  EXPECT_EQ(check.splits[1].duplicates, 1U);
  EXPECT_EQ(check.splits[2].duplicates, 0U);
  ASSERT_EQ(check.overlaps.size(), 3U);
  EXPECT_EQ(check.overlaps[0].facts, 2U);  // train, valid
  EXPECT_EQ(check.overlaps[1].facts, 0U);  // train, test
  EXPECT_EQ(check.overlaps[2].facts, 1U);  // valid, test
  EXPECT_TRUE(warns_of(check, "LEAK: 2 facts stand both in train and in valid"));
  EXPECT_TRUE(warns_of(check, "LEAK: 1 facts stand both in valid and in test"));
  EXPECT_TRUE(warns_of(check, "train: 2 of 4 facts (50.0 %) repeat"));
}

TEST(DataCheck, CountsWhatTrainNeverShows) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t2014\nb\tr\tc\t2015\n");
  scratch.write("test.txt", "a\tr\tnew\t2014\nnew\tq\tnew\t2014\na\tr\tb\t2016\n");
  const DataCheck check = check_data(load_facts(scratch.path()));
  EXPECT_EQ(check.splits[2].unseen_entity, 2U);
  EXPECT_EQ(check.splits[2].unseen_relation, 1U);
  EXPECT_EQ(check.splits[2].unseen_time, 1U);
  EXPECT_EQ(check.entities, 4);
  EXPECT_EQ(check.entities_in_train, 3);
  EXPECT_TRUE(warns_of(check, "test: 2 of 3 facts (66.7 %) have an entity"));
  EXPECT_TRUE(warns_of(check, "valid: the split is missing or empty"));
}

TEST(DataCheck, CountsIntervalsThatEndBeforeTheyStart) {
  const ScratchDirectory scratch;
  scratch.write("train.txt",
                "a\tr\tb\t2015\t2014\nb\tr\tc\t2014-05-02\t2014-05-01\n"
                "c\tr\ta\t2014-05-02\t2014-05\na\tr\tc\t2014\t2014\n"
                "b\tr\ta\t-31\t-45\nc\tr\tb\t2016\t####\nc\tr\td\t\t2014\n");
  scratch.write("valid.txt", "a\tr\td\t2014\t2015\n");
  scratch.write("test.txt", "d\tr\ta\t2015\t2014\n");
  const DataCheck check = check_data(load_facts(scratch.path()));
  EXPECT_EQ(check.splits[0].ends_before_start, 3U);
  EXPECT_EQ(check.splits[1].ends_before_start, 0U);
  EXPECT_EQ(check.splits[2].ends_before_start, 1U);
  EXPECT_TRUE(warns_of(check, "train: 3 of 7 facts (42.9 %) end before they start"));
  EXPECT_TRUE(warns_of(check, "test: 1 of 1 facts (100.0 %) end before they start"));
}

TEST(DataCheck, FindsReversedFactsAndInverseRelations) {
  const ScratchDirectory scratch;
  std::string train, test;
  for (int i = 0; i < 20; ++i) {
    const std::string a = fmt::format("a{}", i), b = fmt::format("b{}", i);
    train += a + "\tmeets\t" + b + "\t2014\n" + a + "\thosts\t" + b + "\t2015\n";
    // One host in ten has no visitor, so it is inverted to 90 %, its inverse fully.
    if (i >= 2) train += b + "\tvisits\t" + a + "\t2015\n";
    train += a + "\tlikes\t" + b + "\t2016\n" + a + "\tis\t" + a + "\t2016\n";
    (i < 3 ? test : train) += b + "\tmeets\t" + a + "\t2014\n";
  }
  scratch.write("train.txt", train);
  scratch.write("test.txt", test);
  const TemporalGraph data = load_facts(scratch.path());
  const DataCheck check = check_data(data);
  EXPECT_EQ(check.splits[2].reversed_in_train, 3U);

  struct Found {
    std::string relation, inverse;
    std::uint64_t facts, reversed;
    bool operator==(const Found&) const = default;
  };
  std::vector<Found> found;
  for (const InverseRelation& pair : check.inverses) {
    found.push_back({data.relations.name(pair.relation), data.relations.name(pair.inverse),
                     pair.facts, pair.reversed});
  }
  EXPECT_EQ(found, (std::vector<Found>{{"meets", "meets", 40, 40},
                                       {"hosts", "visits", 20, 18},
                                       {"visits", "hosts", 18, 18}}));
  EXPECT_TRUE(warns_of(check, "3 relations are symmetric or have an inverse, \"meets\" with 40"));
  EXPECT_TRUE(warns_of(check, "stand reversed in train"));
}

TEST(DataCheck, WithinEveryTimeInWhichATrainingFactHoldsIsSeen) {
  // The times are 1900..1949, 1950..1951 and 1952..1990, at whose sides no fact of train lies.
  const DataCheck check = check_data(
      testing::within_graph("a\tr\tb\t1900\t1990\nb\tr\tc\t1950\t1951\n", "a\tr\tc\t1940\t1960\n"));
  EXPECT_EQ(check.splits[2].unseen_time, 0U);
}

}  // namespace
}  // namespace orrery
