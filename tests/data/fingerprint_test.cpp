#include "data/fingerprint.h"

#include <gtest/gtest.h>

#include "data/load.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::ScratchDirectory;

TEST(Fingerprint, KnowsFactsButNotTheirOrder) {
  const ScratchDirectory scratch;
  const auto print = [&scratch](std::string_view train, std::string_view test) {
    scratch.write("train.txt", train);
    scratch.write("test.txt", test);
    return fingerprint(load_facts(scratch.path()));
  };
  const std::string first = print("a\tr\tb\t2014\nb\tr\tc\t2015\n", "c\tr\ta\t2014\n");
  EXPECT_EQ(first.size(), 64U);
  EXPECT_EQ(print("b\tr\tc\t2015\na\tr\tb\t2014\n", "c\tr\ta\t2014\n"), first);
  EXPECT_NE(print("b\tr\tc\t2014\na\tr\tb\t2014\n", "c\tr\ta\t2014\n"), first);
  EXPECT_NE(print("b\tr\tc\t2015\n", "c\tr\ta\t2014\na\tr\tb\t2014\n"), first);
  EXPECT_NE(print("a\tr\tb\t2014\na\tr\tb\t2014\nb\tr\tc\t2015\n", "c\tr\ta\t2014\n"), first);
}

TEST(Fingerprint, OfAFixedTextNeverChanges) {
  // Checkpoints carry it: SHA-256 of "train 1\0a\0r\0b\02014\0valid 0\0test 0\0".
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t2014\n");
  EXPECT_EQ(fingerprint(load_facts(scratch.path())),
            "a101d8a8011dd1c024afb16c037fcc6c27897457b3fcdf1ffe9cce7f832d5689");
}

class IntervalFingerprint : public ::testing::Test {
 protected:
  IntervalFingerprint() {
    scratch_.write("train.txt",
                   "a\tr\tb\t1900-02-01\t1901-03-01\nb\tr\tc\t1905-04-01\t####\n"
                   "c\tr\ta\t1910-05-01\t1911-06-01\n");
  }
  TemporalGraph data(std::optional<Granularity> granularity, std::int64_t min_facts) const {
    LoadOptions options;
    options.granularity = granularity;
    options.min_facts = min_facts;
    return load_facts(scratch_.path(), options);
  }
  std::string print(std::optional<Granularity> granularity, std::int64_t min_facts) const {
    return fingerprint(data(granularity, min_facts));
  }

  ScratchDirectory scratch_;
};

TEST_F(IntervalFingerprint, KnowsGranularityAndClasses) {
  const std::string years = print({}, 1);
  EXPECT_EQ(print(Granularity::year, 1), years);
  EXPECT_NE(print(Granularity::month, 1), years);
  EXPECT_NE(print(Granularity::day, 1), years);
  EXPECT_NE(print(Granularity::day, 1), print(Granularity::month, 1));
  EXPECT_NE(print({}, 2), years);
  EXPECT_NE(print({}, 3), print({}, 2));
  EXPECT_EQ(print({}, 0), years);  // the same classes
  // One class of all times, but of other times.
  EXPECT_NE(print(Granularity::year, 99), print(Granularity::month, 99));
}

TEST_F(IntervalFingerprint, BeginsAsItDidBeforeItKnewClasses) {
  // SHA-256 of "train 3\0a\0r\0b\01900-02-01\t1901-03-01\0 … valid 0\0test 0\0", as older files
  // hold it.
  const std::string before = "8267c18e1a5a9409b40738ea6c33395fa48bf684c0f5ac4207eb6245c2946fa5";
  EXPECT_EQ(fingerprint_of_facts(data({}, 1)), before);
  EXPECT_EQ(fingerprint_of_facts(data(Granularity::month, 2)), before);
  EXPECT_EQ(print({}, 1), before + ".dfb8f763f4229b4f");
  EXPECT_TRUE(same_data(before, print({}, 1)));
  EXPECT_TRUE(same_data(print({}, 1), before));
}

TEST(Fingerprint, OfOneDataSet) {
  EXPECT_TRUE(same_data("a", "a"));
  EXPECT_TRUE(same_data("a.1", "a.1"));
  EXPECT_TRUE(same_data("a", "a.1"));
  EXPECT_FALSE(same_data("a.1", "a.2"));
  EXPECT_FALSE(same_data("a.1", "b.1"));
  EXPECT_FALSE(same_data("a", "b.1"));
  EXPECT_FALSE(same_data("a", "ab"));
  EXPECT_FALSE(same_data("", "a.1"));
}

TEST_F(IntervalFingerprint, KnowsTheReadingAndTheHorizon) {
  LoadOptions within;
  within.within = true;
  const auto read = [&](const LoadOptions& options) {
    return fingerprint(load_facts(scratch_.path(), options));
  };
  LoadOptions until = within;
  until.horizon = Date{1908, 0, 0};
  const std::string ends = print({}, 1);
  EXPECT_FALSE(same_data(read(within), ends));
  EXPECT_FALSE(same_data(read(within), read(until)));
  EXPECT_TRUE(same_data(read(within), read(within)));
}

}  // namespace
}  // namespace orrery
