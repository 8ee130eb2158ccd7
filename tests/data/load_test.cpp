#include "data/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <set>

#include "data/split_files.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::gzipped;
using testing::refused;
using testing::ScratchDirectory;
using testing::zstandard;

std::string as_text(const TemporalGraph& data, const Fact& fact) {
  return fmt::format("{}|{}|{}|{}", data.entities.name(fact.subject),
                     data.relations.name(fact.relation), data.entities.name(fact.object),
                     data.times.moment_names.at(static_cast<std::size_t>(fact.when)));
}

std::vector<std::string> as_text(const TemporalGraph& data, Split split) {
  std::vector<std::string> facts;
  for (const Fact& fact : data.split(split)) facts.push_back(as_text(data, fact));
  return facts;
}

using Texts = std::vector<std::string>;

TEST(Load, IdsArePositionsInTheSortedNamesOfAllSplits) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "b\ts\ta\t2014-01-02\nz\tr\tb\t2014-01-01\n");
  scratch.write("valid.tsv.gz", gzipped("B\tr\ta\xC2\xA0\t2014-01-02\n"));
  scratch.write("test.csv.zst", zstandard("\"a, b\",q,\"  a  b\",2014-01-03\n"));
  const TemporalGraph data = load_facts(scratch.path());
  EXPECT_EQ(data.entities.names(), (Texts{"  a  b", "B", "a", "a, b", "a\xC2\xA0", "b", "z"}));
  EXPECT_EQ(data.relations.names(), (Texts{"q", "r", "s"}));
  EXPECT_EQ(data.times.size(), 3);
  EXPECT_EQ(data.relation_ids().count(), 6);
  EXPECT_EQ(as_text(data, Split::train), (Texts{"b|s|a|2014-01-02", "z|r|b|2014-01-01"}));
  EXPECT_EQ(as_text(data, Split::valid), (Texts{"B|r|a\xC2\xA0|2014-01-02"}));
  EXPECT_EQ(as_text(data, Split::test), (Texts{"a, b|q|  a  b|2014-01-03"}));
}

TEST(Load, IntervalFacts) {
  const ScratchDirectory scratch;
  scratch.write("train", "a\tr\tb\t1900-##-##\t1910-##-##\na\tr\tb\t1910\t####-##-##\n");
  scratch.write("test", "b\tr\ta\t####\t1890\nb\tr\ta\t1920\t1900\n");
  const TemporalGraph data = load_facts(scratch.path());
  EXPECT_TRUE(data.times.intervals);
  EXPECT_EQ(data.relation_ids().count(), 4);
  ASSERT_EQ(data.times.size(), 2);
  EXPECT_EQ(as_text(data, Split::train),
            (Texts{"a|r|b|1900-##-##\t1910-##-##", "a|r|b|1910\t####-##-##"}));
  EXPECT_TRUE(data.split(Split::valid).empty());
  const auto moment = [&data](const Fact& fact) {
    return data.times.moments[static_cast<std::size_t>(fact.when)];
  };
  EXPECT_EQ(moment(data.split(Split::test)[0]).start, Moment::unknown);
  EXPECT_EQ(moment(data.split(Split::test)[0]).end, 0);
  EXPECT_EQ(moment(data.split(Split::test)[1]).start, 1);
  EXPECT_EQ(moment(data.split(Split::test)[1]).end, 0);
  LoadOptions coarse;
  coarse.min_facts = 100;
  EXPECT_EQ(load_facts(scratch.path(), coarse).times.rows.front().label, "1900..1910");
}

struct BadCase {
  std::string line, reason;
};

TEST(Load, ABadLineIsAnErrorWithItsPlace) {
  for (const BadCase& c : {BadCase{"a\tr\tb", "3 columns where 4 are expected"},
                           BadCase{"a\tr\tb\t2014\t2015", "5 columns where 4 are expected"},
                           BadCase{"\tr\tb\t2014", "the subject is empty"},
                           BadCase{"a\t\tb\t2014", "the relation is empty"},
                           BadCase{"a\tr\t\t2014", "the object is empty"},
                           BadCase{"a\tr\t\xFF\t2014", "the object \"\\xff\" is not valid UTF-8"},
                           BadCase{std::string("a\tr\tb\0\t2014", 11), "holds a NUL byte"},
                           BadCase{"a\tr\tb\t2014-02-30", "\"2014-02-30\" is not a date"},
                           BadCase{"a\tr\tb\t####-##-##", "is unknown"},
                           BadCase{"a\tr\tb\t", "is unknown"}, BadCase{"", "the line is empty"}}) {
    const ScratchDirectory scratch;
    scratch.write("train.txt", "x\tr\ty\t2014\n" + c.line + "\nx\tr\tz\t2015\n");
    const Error error = caught([&] { load_facts(scratch.path()); });
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_EQ(error.place(), (Place{(scratch.path() / "train.txt").string(), 2}));
    EXPECT_TRUE(contains(error.message(), c.reason)) << error.what();
    EXPECT_TRUE(contains(error.advice(), "--skip-bad")) << error.what();

    LoadOptions options;
    options.skip_bad = true;
    LoadReport report;
    const TemporalGraph data = load_facts(scratch.path(), options, &report);
    EXPECT_EQ(report.bad_lines, 1U);
    ASSERT_EQ(report.first_bad.size(), 1U);
    EXPECT_TRUE(report.first_bad[0].file.ends_with("train.txt"));
    EXPECT_EQ(report.first_bad[0].line, 2U);
    EXPECT_TRUE(contains(report.first_bad[0].reason, c.reason)) << report.first_bad[0].reason;
    // What stood on the bad line only leaves no trace.
    EXPECT_EQ(data.entities.names(), (Texts{"x", "y", "z"}));
    EXPECT_EQ(data.times.size(), 2);
  }
}

TEST(Load, BadIntervals) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t1900\t1910\na\tr\tb\t####\t####\n");
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path()); }), "neither the start nor"));
  scratch.write("train.txt", "a\tr\tb\t1900\t1910\na\tr\tb\t1900\tlater\n");
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path()); }), "\"later\" is not a date"));
}

TEST(Load, ADateOnABadLineDoesNotCoarsenTheAxis) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t2014-01-02\n\tr\tb\t2014\n");
  LoadOptions options;
  options.skip_bad = true;
  EXPECT_EQ(load_facts(scratch.path(), options).times.granularity, Granularity::day);
}

TEST(Load, ReportsTheFirstTwentyBadLines) {
  const ScratchDirectory scratch;
  std::string text = "a\tr\tb\t2014\n";
  for (int i = 0; i < 50; ++i) text += "only\tthree\tcolumns\n";
  scratch.write("train.txt", text);
  LoadOptions options;
  options.skip_bad = true;
  LoadReport report;
  load_facts(scratch.path(), options, &report);
  EXPECT_EQ(report.bad_lines, 50U);
  ASSERT_EQ(report.first_bad.size(), 20U);
  EXPECT_EQ(report.first_bad.back().line, 21U);
  load_facts(scratch.path(), options, &report);  // a report is not added to
  EXPECT_EQ(report.bad_lines, 50U);
}

TEST(Load, DamagedCompressedFilesAreRefused) {
  const ScratchDirectory scratch;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += fmt::format("e{}\tr\te{}\t{}\n", i, i * 7 % 5000, i % 300);
  const std::string packed = zstandard(text);
  scratch.write("train.txt.zst", packed.substr(0, packed.size() / 2));
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path()); }), "train.txt.zst"));
}

TEST(Load, NoFactsAreRefused) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "");
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path()); }), "is empty"));
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path() / "absent"); }), "no such file"));
}

TEST(Load, GranularityMayBeAskedFor) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t2014-04-21\na\tr\tb\t2014-04-25\na\tr\tb\t2014-05-01\n");
  LoadOptions options;
  options.granularity = Granularity::week;
  const TemporalGraph data = load_facts(scratch.path(), options);
  ASSERT_EQ(data.times.size(), 2);
  EXPECT_EQ(data.times.rows[0].label, "2014-W17");
  EXPECT_EQ(data.split(Split::train)[0].when, data.split(Split::train)[1].when);
}

std::string many_facts(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("s{}\tr\to{}\t2014\n", i, i);
  return text;
}

TEST(SingleFile, IsSplitInSharesBySeed) {
  const ScratchDirectory scratch;
  const auto file = scratch.write("facts.tsv", many_facts(1000));
  LoadOptions options;
  options.cut = cut_rule("80/10/10", "random", 0);
  const TemporalGraph data = load_facts(file, options);
  EXPECT_EQ(data.split(Split::train).size(), 800U);
  EXPECT_EQ(data.split(Split::valid).size(), 100U);
  EXPECT_EQ(data.split(Split::test).size(), 100U);
  std::set<std::string> all;
  for (const Split split : all_splits) {
    for (const std::string& fact : as_text(data, split)) EXPECT_TRUE(all.insert(fact).second);
  }
  EXPECT_EQ(all.size(), 1000U);
  EXPECT_EQ(as_text(load_facts(file, options), Split::test), as_text(data, Split::test));
  options.cut = cut_rule("0.8/0.1/0.1", "random", 0);
  EXPECT_EQ(as_text(load_facts(file, options), Split::test), as_text(data, Split::test));
  options.cut->seed = 1;
  EXPECT_NE(as_text(load_facts(file, options), Split::test), as_text(data, Split::test));
}

TEST(SingleFile, RefusesSenselessShares) {
  const ScratchDirectory scratch;
  const auto file = scratch.write("facts.tsv", many_facts(10));
  LoadOptions options;
  for (const auto* shares : {"100/1/1", "1/100/1", "1/1/100"}) {
    options.cut = cut_rule(shares, "random", 1);
    EXPECT_EQ(caught([&] { load_facts(file, options); }).option(), "split") << shares;
  }
  scratch.write("train.txt", many_facts(10));
  scratch.write("valid.txt", many_facts(3));
  options.cut = cut_rule("80/10/10", "random", 1);
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path(), options); }), "directory"));
  std::filesystem::remove(scratch.path() / "valid.txt");
  EXPECT_EQ(load_facts(scratch.path(), options).split(Split::valid).size(), 1U);
}

TEST(SingleFile, IsCutByItself) {
  const ScratchDirectory scratch;
  const struct {
    int facts;
    std::size_t train, valid;
    const char* shares;
  } cases[] = {{5, 5, 0, "100/0/0"}, {100, 80, 10, "80/10/10"}, {3000, 2700, 150, "90/5/5"}};
  for (const auto& c : cases) {
    LoadReport report;
    const TemporalGraph data =
        load_facts(scratch.write("facts.tsv", many_facts(c.facts)), {}, &report);
    EXPECT_EQ(data.split(Split::train).size(), c.train);
    EXPECT_EQ(data.split(Split::valid).size(), c.valid);
    EXPECT_EQ(report.split, c.shares);
  }
  EXPECT_EQ(usual_shares(1'000'000), "98/1/1");
  EXPECT_EQ(usual_shares(5'000'000), "99.6/0.2/0.2");
}

TEST(SingleFile, SoIsADirectoryWithTrainAlone) {
  const ScratchDirectory scratch;
  const auto file = scratch.write("train.tsv", many_facts(100));
  EXPECT_TRUE(holds_one_list(scratch.path()) && holds_one_list(file));
  LoadReport report;
  const TemporalGraph data = load_facts(scratch.path(), {}, &report);
  EXPECT_EQ(data.split(Split::train).size(), 80U);
  EXPECT_EQ(as_text(data, Split::test), as_text(load_facts(file), Split::test));
  EXPECT_EQ(report.split, "80/10/10");
  scratch.write("test.tsv", many_facts(3));
  EXPECT_FALSE(holds_one_list(scratch.path()));
  EXPECT_EQ(load_facts(scratch.path(), {}, &report).split(Split::train).size(), 100U);
  EXPECT_EQ(report.split, "");
}

TEST(SplitFiles, TwoCandidatesAreNamed) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", many_facts(3));
  scratch.write("train.tsv.gz", gzipped(many_facts(3)));
  const std::string message = refused([&] { load_facts(scratch.path()); });
  EXPECT_TRUE(contains(message, "train.txt") && contains(message, "train.tsv.gz")) << message;
}

TEST(SplitFiles, NamesThatEndInTheSplit) {
  const ScratchDirectory scratch;
  scratch.write("icews_2014_train.txt", many_facts(3));
  scratch.write("icews_2014_test.txt", many_facts(2));
  scratch.write("latest.txt", "not a split");
  scratch.write(".train.txt", "hidden");
  scratch.write("train.log", "{}");
  EXPECT_EQ(load_facts(scratch.path()).split(Split::train).size(), 3U);
  EXPECT_EQ(load_facts(scratch.path()).split(Split::test).size(), 2U);
  scratch.write("train", many_facts(5));  // the exact name wins
  EXPECT_EQ(load_facts(scratch.path()).split(Split::train).size(), 5U);
}

TEST(SplitFiles, OtherNamesForThem) {
  for (const auto* name : {"dev", "val", "validation", "my-dev"}) {
    const ScratchDirectory scratch;
    scratch.write("training.txt", many_facts(30));
    const fs::path file = scratch.write(std::string(name) + ".txt", many_facts(2));
    EXPECT_EQ(find_split_files(scratch.path())[1], file);
    EXPECT_EQ(load_facts(scratch.path()).split(Split::train).size(), 30U) << "it is not cut";
    scratch.write("valid.txt", many_facts(3));  // our own name wins
    EXPECT_EQ(load_facts(scratch.path()).split(Split::valid).size(), 3U);
  }
}

TEST(SplitFiles, OfEveryKindThatIsRead) {
  for (const auto* ending : {".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".nq", ".ttl", ".trig",
                             ".db", ".jsonl.gz", ".CSV"}) {
    const ScratchDirectory scratch;
    const fs::path file = scratch.write(std::string("train") + ending, "");
    EXPECT_EQ(find_split_files(scratch.path())[0], file);
    scratch.write("train.txt", many_facts(3));
    EXPECT_TRUE(contains(refused([&] { find_split_files(scratch.path()); }), "keep one of them"));
  }
}

TEST(Load, WhatIsPartOfAFactComesFromItsTitles) {
  const ScratchDirectory scratch;
  scratch.write("train.csv", "id;Bis;Von;Objekt;Beziehung;Subjekt\n1;2015;2014;b;r;a\n");
  scratch.write("valid.csv", "Subjekt;Beziehung;Objekt;Von;Bis\nb;r;a;2014;2016\n");
  LoadReport report;
  const TemporalGraph data = load_facts(scratch.path(), {}, &report);
  EXPECT_EQ(as_text(data, Split::train), (Texts{"a|r|b|2014\t2015"}));
  EXPECT_EQ(as_text(data, Split::valid), (Texts{"b|r|a|2014\t2016"}));
  ASSERT_EQ(report.files.size(), 2U);
  EXPECT_EQ(report.files[0].understood.ignored, (Texts{"id"}));
  EXPECT_EQ(report.files[1].understood.column[index_of(Role::end)], "Bis");
  // Without its header the second would be read in another order.
  scratch.write("valid.csv", "b;r;a;2014;2016\n");
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path()); }), "valid.csv: has no header"));
  LoadOptions options;
  options.reading.columns = column_request("start=Bis");
  options.reading.format = "csv";
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path(), options); }), "\"Bis\""));
}

TEST(SplitFiles, AreReadThroughLinksAndPastBrokenOnes) {
  const ScratchDirectory scratch;
  scratch.write("facts", many_facts(3));
  fs::create_symlink("facts", scratch.path() / "train.txt");
  fs::create_symlink("loop", scratch.path() / "loop");
  fs::create_symlink("nowhere", scratch.path() / "dangling.txt");
  EXPECT_EQ(load_facts(scratch.path()).split(Split::train).size(), 3U);
  fs::create_symlink("test.txt", scratch.path() / "test.txt");
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path()); }),
                       "test.txt: cannot be opened: Too many levels of symbolic links"));
}

TEST(Load, PathsThatCannotBeReachedAreRefusedInWords) {
  const ScratchDirectory scratch;
  fs::create_symlink("loop", scratch.path() / "loop");
  for (const fs::path& path : {scratch.path() / "loop", scratch.path() / "loop" / "data",
                               scratch.path() / std::string(300, 'x'),
                               scratch.path() / std::string(5000, '/') / std::string(5000, 'y')}) {
    const std::string message = refused([&] { load_facts(path); });
    EXPECT_TRUE(contains(message, ": cannot be reached (")) << message;
  }
}

TEST(SplitFiles, TrainIsNeeded) {
  const ScratchDirectory scratch;
  scratch.write("test.txt", many_facts(3));
  EXPECT_TRUE(contains(refused([&] { load_facts(scratch.path()); }), "no train split"));
}

}  // namespace
}  // namespace orrery
