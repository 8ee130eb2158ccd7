// orrery audit, and evaluate --calibration.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;

class AuditVerb : public testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    scratch_.write("data/valid.txt", testing::world_lines(220, 80, false));
    done(train_words("run", {"--epochs", "3"}));
  }
  std::string run() const { return at("run").string(); }
};

TEST_F(AuditVerb, JudgesTrainingFactsInFolds) {
  const std::string list = at("doubts.csv").string();
  const auto json =
      this->json({"audit", run(), "--folds", "2", "--top", "7", "--out", list, "--threads", "1"});
  EXPECT_EQ(json["folds"], 2);
  EXPECT_EQ(json["facts"].size(), 7U);
  EXPECT_EQ(json["calibrated"], true);
  const std::string csv = testing::read_bytes(list);
  EXPECT_TRUE(csv.starts_with("subject,relation,object,time,end,plausibility,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), json["judged"].get<int>() + 1);
  EXPECT_TRUE(contains(refused({"audit", run(), "--out", list}), "exists; name another file"));
  const auto text = done({"audit", run(), "--folds", "2", "--corrupt", "0.1", "--threads", "1"});
  EXPECT_TRUE(contains(text.out, "drill: of ")) << text.out;
  EXPECT_TRUE(contains(text.err, "fold 2 of 2")) << text.err;
}

TEST_F(AuditVerb, JudgesFactsOfAFile) {
  scratch_.write("new.txt", "e01\tr1\te02\t2014-01-03\nnobody\tr1\te02\t2014-01-03\n");
  const auto json = this->json({"audit", run(), "--facts", at("new.txt").string()});
  EXPECT_EQ(json["judged"], 1);
  EXPECT_TRUE(contains(json["notes"][0].get<std::string>(), "such as 'nobody'"));
  scratch_.write("none.txt", "nobody\tr1\te02\t2014-01-03\n");
  EXPECT_TRUE(contains(refused({"audit", run(), "--facts", at("none.txt").string()}),
                       "none of its facts can be judged"));
  EXPECT_TRUE(contains(refused({"audit", run(), "--folds", "100"}), "too few for 100 folds"));
}

TEST_F(AuditVerb, EvaluateMeasuresCalibration) {
  const auto json = this->json({"evaluate", run(), "--calibration"})["calibration"];
  for (const auto* part : {"first", "ten", "fact"})
    for (const auto* kind : {"softmax", "calibrated"})
      EXPECT_GE(json[part][kind]["ece_equal_mass"].get<double>(), 0) << part << kind;
  EXPECT_TRUE(contains(done({"evaluate", run(), "--calibration"}).out, "calibration error"));
  EXPECT_EQ(this->json({"inspect", run()})["calibration"]["facts"], 80);
  EXPECT_TRUE(contains(done({"inspect", run()}).out, "calibrated on 80 facts of validation"));
}

}  // namespace
}  // namespace orrery
