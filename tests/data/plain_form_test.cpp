#include "data/plain_form.h"

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

class PlainFormTest : public ::testing::Test {
 protected:
  TemporalGraph whole(const std::filesystem::path& file) const {
    LoadOptions options;
    options.cut = cut_rule("100/0/0", "random", 1);
    return load_facts(file, options);
  }
  std::filesystem::path at(const std::string& name) const { return scratch_.path() / name; }

  // Written as `out`, loaded and written once more.
  std::string converted(const std::filesystem::path& in, const std::string& out) const {
    const TemporalGraph data = whole(in);
    write_facts(data, at(out));
    const TemporalGraph back = whole(at(out));
    EXPECT_EQ(fingerprint(back), fingerprint(data));
    EXPECT_EQ(back.facts[0], data.facts[0]) << "the order is kept";
    write_facts(back, at("again-" + out));
    EXPECT_EQ(read_bytes(at("again-" + out)), read_bytes(at(out)));
    return read_bytes(at(out));
  }

  ScratchDirectory scratch_;
};

const std::string odd_names =
    "\"a, b\",r,\"c \"\"d\"\"\",2014-01-02\n e "
    ",\"r;s\",f|g,2014-01-01\n'h',#r,\xF0\x9F\x98\x80,2015-05-05\n";

TEST_F(PlainFormTest, PointsComeBackTheSame) {
  const auto in = scratch_.write("facts.txt", "b\tr\tc\t2014-1-2\na\tr\t\"b\"\t2014-01-01\n");
  EXPECT_EQ(converted(in, "out.tsv"),
            "subject\trelation\tobject\ttime\nb\tr\tc\t2014-01-02\na\tr\t\"b\"\t2014-01-01\n");
  EXPECT_EQ(converted(in, "out.csv"),
            "subject,relation,object,time\nb,r,c,2014-01-02\na,r,\"\"\"b\"\"\",2014-01-01\n");
  const auto odd = scratch_.write("odd.csv", odd_names);
  converted(odd, "odd.tsv");
  converted(odd, "odd2.csv");
  converted(odd, "odd");
}

TEST_F(PlainFormTest, IntervalsComeBackTheSame) {
  const auto in = scratch_.write(
      "facts.tsv", "a\tr\tb\t1900-##-##\t1910\nb\tr\tc\t1901\t\nc\tr\ta\t####\t1905-02-03\n");
  EXPECT_EQ(converted(in, "out.csv"),
            "subject,relation,object,start,end\na,r,b,1900-##-##,1910\nb,r,c,1901,\n"
            "c,r,a,####,1905-02-03\n");
  converted(in, "out.txt");
}

TEST_F(PlainFormTest, FilesMayBeCompressed) {
  std::string text = "b\tr\tc\t2014-01-02\n";
  for (int i = 0; i < 200'000; ++i) text += "b\tr\tc" + std::to_string(i * 7919) + "\t2014-01-02\n";
  const auto in = scratch_.write("facts.txt", text);
  EXPECT_EQ(converted(in, "out.csv.gz").substr(0, 2), "\x1F\x8B");
  EXPECT_EQ(converted(in, "out.tsv.zst").substr(0, 4), "\x28\xB5\x2F\xFD");
  converted(scratch_.write("one.txt", "b\tr\tc\t2014\n"), "one.gz");
}

TEST_F(PlainFormTest, WhatAFileCannotHoldIsRefused) {
  const TemporalGraph data = whole(scratch_.write("in.csv", "\"a\tb\",r,c,2014\n"));
  EXPECT_TRUE(contains(refused([&] { write_facts(data, at("out.tsv")); }), "ends in .csv"));
  EXPECT_TRUE(contains(facts_text(data), "\"a\tb\",r,c,2014\n"));
  for (const auto* name : {"out.json", "out.json.gz", "out.csv.xz"})
    EXPECT_TRUE(contains(refused([&] { write_facts(data, at(name)); }), "not written as")) << name;
  scratch_.write("taken.csv", "other content");
  EXPECT_TRUE(contains(refused([&] { write_facts(data, at("taken.csv")); }), "left alone"));
  EXPECT_EQ(read_bytes(at("taken.csv")), "other content");
}

TEST_F(PlainFormTest, ADirectoryKeepsItsSplits) {
  std::filesystem::create_directory(at("in"));
  scratch_.write("in/train.txt", "a\tr\tb\t2014\nb\tr\tc\t2015\n");
  scratch_.write("in/test.txt", "a\tr\tc\t2015\n");
  const TemporalGraph data = load_facts(at("in"));
  const auto files = write_titled_splits(data, at("out"));
  ASSERT_EQ(files.size(), 2U) << "there is no valid";
  EXPECT_EQ(read_bytes(at("out") / "test.tsv"), "subject\trelation\tobject\ttime\na\tr\tc\t2015\n");
  EXPECT_EQ(fingerprint(load_facts(at("out"))), fingerprint(data));
  EXPECT_NO_THROW(write_titled_splits(data, at("out"))) << "the same again";
  EXPECT_TRUE(
      contains(refused([&] { write_titled_splits(data, at("in")); }), "is a split already"));
  EXPECT_TRUE(contains(refused([&] { write_facts(data, at("one.csv")); }), "name a directory"));
  EXPECT_TRUE(contains(refused([&] { facts_text(data); }), "name a directory"));
}

}  // namespace
}  // namespace orrery
