// data check, data convert and data split, on files as people have them.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;

class DataVerbs : public testing::CommandLine {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    return scratch_.write(name, text).string();
  }
};

const std::string few_facts =
    "Ada\tworks for\tAcme Inc\t2016\t2019\nAda\tworks for\tGlobex\t2019\t\n"
    "Ben\tworks for\tAcme Inc.\t2018\t2017\nBen\tis\tBen\t2018\t\n";

TEST_F(DataVerbs, CheckNeedsNoSplit) {
  const std::string facts = file("facts.tsv", few_facts);
  const std::string page = done({"data", "check", facts}).out;
  for (const std::string part :
       {"4 facts, 0 of them duplicates; not split yet",
        "- Ada works for Acme Inc, from 2016 to 2019", "Facts per time", "one-to-many",
        "facts that end before they start: 1", "- Ben works for Acme Inc., from 2018 to 2017",
        "- Acme Inc | Acme Inc.", "facts with one entity as subject and object: 1"})
    EXPECT_TRUE(contains(page, part)) << part << "\n" << page;
  const std::string next = "orrery train --data " + facts + " --out runs/facts";
  EXPECT_TRUE(page.ends_with("\nNext: " + next + "\n")) << page;
  EXPECT_FALSE(contains(page, "missing or empty"));

  const auto report = json({"data", "check", facts});
  EXPECT_EQ(report["one_list"], true);
  EXPECT_EQ(report["next"], next);
  EXPECT_EQ(report["examples"].size(), 4U);
  EXPECT_EQ(report["facts_per_time"].size(), 4U);
  EXPECT_EQ(report["relation_profiles"][0]["relation"], "works for");
  EXPECT_EQ(report["relation_profiles"][0]["subjects"], 2);
  EXPECT_EQ(report["suspicious"][0]["what"], "ends_before_start");
  EXPECT_TRUE(report["warnings"].is_array());
  EXPECT_TRUE(report["understood"].is_array());
  EXPECT_EQ(report["splits"]["train"]["facts"], 4);
}

TEST_F(DataVerbs, CheckOfSplitsCountsWhatTrainGivesAway) {
  const auto report = json({"data", "check", at("data").string()});
  EXPECT_EQ(report["one_list"], false);
  for (const auto* key : {"at_another_time", "at_shared_time", "inverse_in_train"})
    EXPECT_TRUE(report["splits"]["test"].contains(key)) << key;
  EXPECT_TRUE(report["names"]["entities"].contains("never_in_train"));
  const std::string page = done({"data", "check", at("data").string()}).out;
  EXPECT_TRUE(contains(page, "What train gives away")) << page;
  EXPECT_TRUE(contains(page, "--out runs/data\n")) << page;
}

TEST_F(DataVerbs, TheNextCommandReadsAsThisOneDid) {
  const std::string odd = file("Ada's facts.csv", "a,r,b,2014-01-02\nbad\nc,r,d,2015-01-02\n");
  const std::string next =
      json({"data", "check", odd, "--skip-bad", "--granularity", "year"})["next"];
  EXPECT_TRUE(contains(next, "facts.csv' --granularity year --skip-bad --out") ||
              contains(next, "facts.csv' --skip-bad --granularity year --out"))
      << next;
  EXPECT_TRUE(next.ends_with("'runs/Ada'\\''s facts'")) << next;
  EXPECT_TRUE(contains(done({"data", "check", odd, "--skip-bad"}).out, ":2: ")) << "file and line";
}

TEST_F(DataVerbs, CheckWritesAPageAndReplacesNothingElse) {
  const std::string facts = file("facts.tsv", few_facts), page = at("page.html").string();
  for (int twice = 0; twice < 2; ++twice) done({"data", "check", facts, "--html", page});
  const std::string html = read_bytes(page);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  for (const auto* part :
       {"<svg", "Ada works for Acme Inc, from 2016 to 2019", ">2016</text>", "orrery train"})
    EXPECT_TRUE(contains(html, part)) << part;
  EXPECT_TRUE(contains(refused({"data", "check", facts, "--html", facts}), "is no HTML page"));
  EXPECT_EQ(read_bytes(facts), few_facts);
  EXPECT_TRUE(
      contains(refused({"data", "check", facts, "--html", at("data").string()}), "is a directory"));
  EXPECT_TRUE(contains(refused({"data", "check", facts, "--html", at("no/x.html").string()}),
                       "cannot be written"));
}

TEST_F(DataVerbs, OddNamesDoNoHarm) {
  const std::string facts =
      file("odd.csv",
           "\"\x1b[31mred\nline\",r,\"\xE2\x80\xAEright to left\",2014\n"
           "\xF0\x9F\x98\x80,\xE6\x9D\xB1\xE4\xBA\xAC,\xD7\xA9\xD7\x9C,2015\n<b>,r,`x`,2015\n");
  const std::string page = done({"data", "check", facts, "--html", at("o.html").string()}).out;
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_FALSE(contains(page, "\xE2\x80\xAE"));
  EXPECT_TRUE(contains(page, "?[31mred?line r ?right to left, in 2014")) << page;
  EXPECT_TRUE(contains(page, "\xE6\x9D\xB1\xE4\xBA\xAC")) << page;
  EXPECT_FALSE(contains(read_bytes(at("o.html")), "<b>"));
}

TEST_F(DataVerbs, SmallFilesAreNoProblem) {
  EXPECT_TRUE(contains(refused({"data", "check", file("empty.csv", "")}), "is empty"));
  EXPECT_TRUE(contains(refused({"data", "check", file("blank.csv", "\n\n")}), "is empty"));
  const std::string page = done({"data", "check", file("one.csv", "a,r,b,2014\n")}).out;
  EXPECT_TRUE(contains(page, "- a r b, in 2014")) << page;
  EXPECT_TRUE(contains(refused({"data", "check", at("none.csv").string()}), "no such file"));
}

TEST_F(DataVerbs, ConvertWritesWhatIsReadAsTheSame) {
  const std::string facts = file("facts.tsv", few_facts), out = at("out.csv").string();
  const auto report = json({"data", "convert", facts, out});
  EXPECT_EQ(report["fingerprint"], json({"data", "check", facts})["fingerprint"]);
  EXPECT_EQ(report["fingerprint"], json({"data", "check", out})["fingerprint"]);
  EXPECT_EQ(report["facts"]["train"], 4);
  const std::string bytes = read_bytes(out);
  EXPECT_TRUE(bytes.starts_with("subject,relation,object,start,end\nAda,works for,Acme Inc,2016,"));
  done({"data", "convert", out, at("again.csv").string()});
  EXPECT_EQ(read_bytes(at("again.csv")), bytes);
  EXPECT_EQ(done({"data", "convert", out, "-"}).out,
            "subject\trelation\tobject\tstart\tend\n" + few_facts);
  EXPECT_TRUE(
      contains(refused({"data", "convert", at("data/test.txt").string(), out}), "left alone"));
  EXPECT_TRUE(contains(refused({"data", "convert", facts, at("x.json.gz").string()}), ".json"));
  EXPECT_TRUE(contains(refused({"data", "convert", facts, "-", "--json"}), "stdout"));
}

TEST_F(DataVerbs, ConvertReadsAsItIsTold) {
  const std::string facts = file("log.csv", "who,does,whom,at\nAda,meets,Ben,02/03/2023\n");
  EXPECT_EQ(done({"data", "convert", facts, "-", "--columns",
                  "subject=who,relation=does,object=whom,time=at", "--dates", "dmy"})
                .out,
            "subject\trelation\tobject\ttime\nAda\tmeets\tBen\t2023-03-02\n");
}

TEST_F(DataVerbs, ConvertKeepsSplits) {
  const std::string data = at("data").string(), out = at("plain").string();
  const auto report = json({"data", "convert", data, out});
  EXPECT_EQ(report["files"].size(), 3U);
  EXPECT_EQ(report["fingerprint"], json({"data", "check", out})["fingerprint"]);
  EXPECT_EQ(report["fingerprint"], json({"data", "check", data})["fingerprint"]);
  EXPECT_TRUE(contains(refused({"data", "convert", data, "-"}), "name a directory"));
}

TEST_F(DataVerbs, SplitByLastFactsCountsItsLeaks) {
  std::string facts;
  for (int pair = 0; pair < 20; ++pair)
    for (int year = 2010; year < 2015; ++year)
      facts += fmt::format("a{}\tr\tb{}\t{}\n", pair, year % 2, year);
  const std::string in = file("facts.txt", facts), to = at("last").string();
  const auto report = json({"data", "split", in, "--to", to, "--split-by", "last"});
  EXPECT_EQ(report["facts"]["test"], 10);
  EXPECT_EQ(report["facts"]["valid"], 10);
  EXPECT_EQ(report["leaks"]["test"]["at_another_time"], 10) << "b0 was there in 2010";
  EXPECT_EQ(report["leaks"]["test"]["at_shared_time"], 0);
  EXPECT_EQ(report["fingerprint"], json({"data", "check", in, "--split", "80/10/10", "--split-by",
                                         "last"})["fingerprint"]);
  const std::string said = done({"data", "split", in, "--to", to, "--split-by", "last"}).out;
  EXPECT_TRUE(contains(said, "test: 10 of 10 facts stand in train at another time\n")) << said;
}

}  // namespace
}  // namespace orrery
