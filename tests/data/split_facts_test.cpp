#include "data/split_facts.h"

#include <gtest/gtest.h>

#include "data/fingerprint.h"
#include "data/load.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::ScratchDirectory;

class SplitFacts : public ::testing::Test {
 protected:
  TemporalGraph cut(const std::string& file, const std::string& text,
                    std::uint64_t seed = 1) const {
    scratch_.write(file, text);
    LoadOptions options;
    options.cut = cut_rule("60/20/20", "random", seed);
    return load_facts(scratch_.path() / file, options);
  }
  std::filesystem::path at(const std::string& name) const { return scratch_.path() / name; }

  // Writes the splits and loads them again.
  void expect_kept(const TemporalGraph& data, const std::string& ending) const {
    const auto directory = at("out" + ending);
    const auto files = write_splits(data, directory);
    ASSERT_EQ(files.size(), 3U);
    for (const Split split : all_splits)
      EXPECT_EQ(files[static_cast<std::size_t>(split)],
                directory / (std::string(name_of(split)) + ending));
    const TemporalGraph back = load_facts(directory);
    EXPECT_EQ(fingerprint(back), fingerprint(data));
    EXPECT_EQ(back.entities.names(), data.entities.names());
    EXPECT_EQ(back.times.size(), data.times.size());
  }

  ScratchDirectory scratch_;
};

const std::string points =
    "a\tr\tb\t2014-01-01\nb\tr\t c \t2014-01-02\nc\ts\ta\t2014-01-02\n\"d\"\ts\tb\t2014-02-03\n"
    "a\ts\t\xC3\xA9\t2014-02-03\n";

TEST_F(SplitFacts, AreTheFactsThatASplitGives) { expect_kept(cut("facts.txt", points), ".txt"); }

TEST_F(SplitFacts, KeepTheTextOfIntervals) {
  const TemporalGraph data =
      cut("facts.tsv",
          "a\tr\tb\t1900-##-##\t1910-##-##\nb\tr\tc\t1901\t\nc\tr\ta\t####\t1905\n"
          "a\tr\tc\t1900\t1901\nb\tr\ta\t1903-05-01\t1904\n");
  EXPECT_TRUE(data.times.intervals);
  expect_kept(data, ".txt");
}

TEST_F(SplitFacts, AreQuotedWhereANameHoldsATabOrALineEnd) {
  expect_kept(cut("facts.csv",
                  "\"a\tx\",r,\"b \"\"y\"\"\",2014-01-01\n\"b\nz\",r,c,2014-01-02\n"
                  "c,\"r, s\",d,2014-01-02\nd,r,b,2014-01-03\nd,r,c,2014-01-05\n"),
              ".csv");
}

TEST_F(SplitFacts, ALoopOfLinksIsNeitherFollowedNorReplaced) {
  const TemporalGraph data = cut("facts.txt", points);
  std::filesystem::create_directory(at("out"));
  std::filesystem::create_symlink("train.txt", at("out") / "train.txt");
  for (const auto& directory : {at("out"), at("out") / "train.txt", at(std::string(300, 'x'))})
    EXPECT_TRUE(contains(refused([&] { write_splits(data, directory); }), "cannot be reached ("));
  EXPECT_TRUE(std::filesystem::is_symlink(at("out") / "train.txt"));
  EXPECT_FALSE(std::filesystem::exists(at("out") / "valid.txt"));
}

TEST_F(SplitFacts, NeverReplaceOthers) {
  const TemporalGraph first = cut("facts.txt", points);
  write_splits(first, at("out"));
  EXPECT_NO_THROW(write_splits(first, at("out")));
  const std::string train = read_bytes(at("out") / "train.txt");
  std::uint64_t seed = 2;
  while (fingerprint(cut("facts.txt", points, seed)) == fingerprint(first)) ++seed;
  const TemporalGraph other = cut("facts.txt", points, seed);
  EXPECT_TRUE(contains(refused([&] { write_splits(other, at("out")); }), "left alone"));
  EXPECT_EQ(read_bytes(at("out") / "train.txt"), train);
}

}  // namespace
}  // namespace orrery
