// Worlds of the benchmark sets' shapes from the command line, small: written, trained on,
// evaluated.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;

using Line = std::array<std::string, 4>;  // subject, relation, object, day

enum class Times { read, left_out };

std::vector<Line> lines_of(const std::filesystem::path& path, Times times) {
  std::vector<Line> lines;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream fields(text);
    Line& line = lines.emplace_back();
    for (std::string& field : line) std::getline(fields, field, '\t');
    if (times == Times::left_out) line[3].clear();
  }
  return lines;
}

// The filtered MRR of answering with what answered a question of this relation most often. Without
// times more is filtered, and the MRR is no lower.
double frequency_mrr(const std::filesystem::path& directory, Times times = Times::read) {
  const auto train = lines_of(directory / "train.txt", times);
  const auto test = lines_of(directory / "test.txt", times);
  std::set<Line> known;
  for (const char* split : {"train.txt", "valid.txt", "test.txt"})
    for (const Line& line : lines_of(directory / split, times)) known.insert(line);
  double sum = 0;
  for (const std::size_t asked : {0, 2}) {
    std::map<std::string, std::map<std::string, int>> counts;  // by relation and answer
    std::set<std::string> entities;
    for (const Line& line : train) {
      ++counts[line[1]][line[asked]];
      entities.insert({line[0], line[2]});
    }
    for (const Line& line : test) {
      auto& of = counts[line[1]];
      double above = 0, equal = 0;
      Line other = line;
      for (const std::string& entity : entities) {
        other[asked] = entity;
        if (known.contains(other)) continue;
        above += of[entity] > of[line[asked]] ? 1 : 0;
        equal += of[entity] == of[line[asked]] ? 1 : 0;
      }
      sum += 1 / (1 + above + equal / 2);
    }
  }
  return sum / (2 * static_cast<double>(test.size()));
}

class DemoLike : public testing::CommandLine {
 protected:
  std::string world() const { return at("world").string(); }
  Words demo(const std::string& like, const std::string& scale) const {
    return {"data", "demo", world(), "--like", like, "--scale", scale};
  }
};

TEST_F(DemoLike, CanBeLearned) {
  const auto written = json(demo("gdelt", "0.01"));
  EXPECT_EQ(written["train"], 27'357);
  EXPECT_EQ(written["like"], "gdelt");
  EXPECT_EQ(written["files"].size(), 4U);
  const auto trained =
      json({"train", "--data", world(), "--out", at("run").string(), "--model", "tcomplex", "--dim",
            "16", "--epochs", "10", "--batch", "500", "--lambda-n3", "0.001", "--threads", "2"});
  EXPECT_EQ(trained["epochs_done"], 10) << trained;
  const auto scores = json({"evaluate", at("run").string()});
  EXPECT_GT(scores["mrr"].get<double>(), 2 * frequency_mrr(at("world"))) << scores;
}

TEST_F(DemoLike, WikidataCanBeLearned) {
  const auto written = json(demo("wikidata", "0.001"));
  EXPECT_EQ(written["train"], 8'000);
  EXPECT_EQ(written["entities"], 1'200);
  EXPECT_EQ(written["years"], 63);
  const auto trained =
      json({"train", "--data", world(), "--out", at("run").string(), "--model", "tcomplex", "--dim",
            "32", "--epochs", "8", "--batch", "500", "--lambda-n3", "0.01", "--threads", "2"});
  EXPECT_EQ(trained["epochs_done"], 8) << trained;
  const auto scores = json({"evaluate", at("run").string()});
  EXPECT_GT(scores["mrr"].get<double>(), 1.5 * frequency_mrr(at("world"), Times::left_out))
      << scores;
}

TEST_F(DemoLike, IsDescribedInWords) {
  const auto spoken = done(demo("icews14", "0.1"));
  EXPECT_TRUE(contains(spoken.out, "7,283 facts to train on, 894 to validate, 896 to test"))
      << spoken.out;
  EXPECT_TRUE(contains(spoken.out, "Next: orrery train")) << spoken.out;
}

TEST_F(DemoLike, RefusesWhatItCannotMake) {
  EXPECT_TRUE(contains(refused(demo("yago11k", "0.01")), "known are"));
  EXPECT_TRUE(contains(refused(demo("gdelt", "0")), "scale"));
  EXPECT_TRUE(contains(refused(demo("gdelt", "much")), "--scale"));
  for (const char* scale : {"0", "-1", "nan", "1e300", "0.00001"})
    EXPECT_TRUE(contains(refused(demo("wikidata", scale)), "at least 0.0001 and at most 1"));
  EXPECT_TRUE(contains(refused({"data", "demo", world(), "--scale", "0.1"}), "--like"));
  EXPECT_FALSE(std::filesystem::exists(world()));
}

}  // namespace
}  // namespace orrery
