// orrery explain, from outside.
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;

class ExplainVerb : public testing::CommandLine {};

TEST_F(ExplainVerb, SaysWhyAndWhatIsWrong) {
  done(train_words("run", {"--epochs", "10"}));
  const std::string run = at("run").string();
  const std::vector<std::string> words = {"explain",    run,         "--subject", "e01",
                                          "--relation", "r1",        "--object",  "e02",
                                          "--time",     "2014-01-02"};
  const auto json = this->json(words);
  EXPECT_EQ(json["subject"], "e01");
  EXPECT_EQ(json["time_row"], "2014-01-02");
  EXPECT_EQ(json["curve"].size(), 8U);
  EXPECT_FALSE(json["sides"][0]["attention"].empty());
  EXPECT_EQ(json["neighbours"]["object"].size(), 5U);
  const std::string text = done(words).out;
  EXPECT_TRUE(contains(text, "(e01, r1, e02, 2014-01-02)")) << text;
  EXPECT_TRUE(contains(text, "which subject?")) << text;
  EXPECT_TRUE(contains(done({"explain", "--help"}).out, "--any-link"));
  EXPECT_TRUE(
      contains(refused({"explain", run, "--subject", "e01", "--relation", "r1", "--object", "e02"}),
               "time is missing"));
}

TEST_F(ExplainVerb, InspectSaysWhatARelationDoes) {
  done(train_words("run", {"--epochs", "2"}));
  const std::string run = at("run").string();
  const std::vector<std::string> words = {"inspect", run,      "--relation",
                                          "r1",      "--time", "2014-01-02"};
  const auto json = this->json(words);
  EXPECT_EQ(json["relation"], "r1");
  EXPECT_EQ(json["nearest"].size(), 2U);
  EXPECT_TRUE(contains(done(words).out, "most like its reverse"));
  EXPECT_TRUE(contains(refused({"inspect", run, "--relation", "r1"}), "--time"));
  EXPECT_TRUE(contains(refused({"inspect", run, "--time", "2014-01-02"}), "--relation"));
  EXPECT_TRUE(contains(
      refused({"inspect", run, "--relation", "r1", "--time", "2014-01-02", "--event", "end"}),
      "starts and ends"));
}

}  // namespace
}  // namespace orrery
