#include "data/relation_profile.h"

#include <gtest/gtest.h>

#include "data/load.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::ScratchDirectory;

std::vector<RelationProfile> profiles_of(const std::string& train) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", train);
  return profile_relations(load_facts(scratch.path()));
}

TEST(RelationProfile, CountsFactsSubjectsAndObjects) {
  const auto profiles = profiles_of(
      "a\tq\tb\t2014\n"
      "a\tr\tx\t2014\nb\tr\tx\t2014\nc\tr\tx\t2015\na\tr\tx\t2016\n");
  ASSERT_EQ(profiles.size(), 2U);
  EXPECT_EQ(profiles[0].relation, 1) << "most facts first";
  EXPECT_EQ(profiles[0].facts, 4U);
  EXPECT_EQ(profiles[0].subjects, 3);
  EXPECT_EQ(profiles[0].objects, 1);
  EXPECT_EQ(profiles[1].over_all_time.name(), "one-to-one");
}

// Someone has one president at a time, and many over the years.
TEST(RelationProfile, OneAtATimeMayBeManyOverTime) {
  const auto points = profiles_of("a\tr\tx\t2014\na\tr\ty\t2015\na\tr\tz\t2016\n");
  EXPECT_EQ(points[0].at_one_time.name(), "one-to-one");
  EXPECT_EQ(points[0].over_all_time.name(), "one-to-many");
  EXPECT_DOUBLE_EQ(points[0].over_all_time.objects, 3);
  const auto terms = profiles_of("a\tr\tx\t2001\t2005\na\tr\ty\t2005\t2009\na\tr\tz\t2009\t\n");
  EXPECT_EQ(terms[0].at_one_time.name(), "one-to-one") << "one ends when the next begins";
  EXPECT_EQ(terms[0].over_all_time.name(), "one-to-many");
}

TEST(RelationProfile, ManyAtOneTimeAreCountedWhenEachBegins) {
  const auto points = profiles_of("a\tr\tx\t2014\na\tr\ty\t2014\nb\tr\tx\t2014\nb\tr\ty\t2014\n");
  EXPECT_EQ(points[0].at_one_time.name(), "many-to-many");
  EXPECT_DOUBLE_EQ(points[0].at_one_time.objects, 2);
  const auto held = profiles_of("a\tr\tx\t\t2009\na\tr\ty\t2003\t\na\tr\tz\t2005\t2006\n");
  EXPECT_DOUBLE_EQ(held[0].at_one_time.objects, 2);  // 1, 2 and 3
  EXPECT_DOUBLE_EQ(held[0].at_one_time.subjects, 1);
  EXPECT_EQ(held[0].at_one_time.name(), "one-to-many");
}

TEST(RelationProfile, AFactThatIsSaidTwiceIsOne) {
  const auto profiles =
      profiles_of("a\tr\tx\t2001\t2005\na\tr\tx\t2003\t2009\na\tr\tx\t2001\t2005\n");
  EXPECT_EQ(profiles[0].facts, 3U);
  EXPECT_EQ(profiles[0].at_one_time.name(), "one-to-one");
  EXPECT_DOUBLE_EQ(profiles[0].over_all_time.objects, 1);
}

}  // namespace
}  // namespace orrery
