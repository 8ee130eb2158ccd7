#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orrery/report.h"

namespace orrery {
namespace {

EvaluationScores sample() {
  EvaluationScores judgement;
  judgement.ranks.resize(2468);
  judgement.pessimistic = {0.55834, 0.25, 0.5, 1, 2468};
  judgement.realistic = {0.6, 0.3, 0.6, 1, 2468};
  judgement.optimistic = {0.7, 0.4, 0.7, 1, 2468};
  judgement.object = {0.5, 0.2, 0.4, 0.9, 1234};
  judgement.subject = {0.61668, 0.3, 0.6, 1, 1234};
  judgement.unseen = {1200, 0, 34, 1210};
  return judgement;
}

TEST(Report, TheTableShowsPercent) {
  EXPECT_EQ(evaluation_table(sample()),
            "test: 1,234 facts, each asked for its object and its subject\n"
            "\n"
            "percent                 queries    MRR  Hits@1  Hits@3  Hits@10\n"
            "both directions           2,468  55.83   25.00   50.00   100.00\n"
            "  realistic ties          2,468  60.00   30.00   60.00   100.00\n"
            "  optimistic ties         2,468  70.00   40.00   70.00   100.00\n"
            "predicting the object     1,234  50.00   20.00   40.00    90.00\n"
            "predicting the subject    1,234  61.67   30.00   60.00   100.00\n"
            "\n"
            "1,210 queries touch what training never saw (an entity: 1,200, a relation: 0, "
            "a time: 34)\n");
}

TEST(Report, AnEvaluationOfIntervalsSaysItsProtocol) {
  EvaluationScores judgement = sample();
  const auto first_line = [&] {
    const std::string text = evaluation_table(judgement);
    return text.substr(0, text.find('\n'));
  };
  const auto protocol = [&] {
    return nlohmann::json::parse(evaluation_json(judgement))["protocol"];
  };
  EXPECT_EQ(protocol(), "points");
  judgement.protocol = Protocol::within;
  EXPECT_TRUE(first_line().ends_with("its subject at a time within its interval"));
  EXPECT_EQ(protocol(), "within");
  judgement.protocol = Protocol::ends;
  EXPECT_TRUE(first_line().ends_with("its subject by the ends of its interval"));
  EXPECT_EQ(protocol(), "ends");
}

TEST(Report, NothingUnseenSaysNothing) {
  EvaluationScores judgement = sample();
  judgement.unseen = {};
  EXPECT_EQ(evaluation_table(judgement).find("never saw"), std::string::npos);
}

TEST(Report, JsonHoldsFractionsInOrder) {
  const auto json = nlohmann::ordered_json::parse(evaluation_json(sample()));
  EXPECT_TRUE(json.dump().starts_with(
      R"({"split":"test","protocol":"points","queries":2468,"mrr":0.55834,"hits1":0.25,"hits3":0.5,"hits10":1.0,)"
      R"("realistic":{"queries":2468,"mrr":0.6,)"))
      << json.dump();
  EXPECT_EQ(json["optimistic"]["mrr"], 0.7);
  EXPECT_EQ(json["object"]["queries"], 1234);
  EXPECT_EQ(json["subject"]["mrr"], 0.61668);
  EXPECT_EQ(json["unseen"].dump(), R"({"entity":1200,"relation":0,"time":34,"any":1210})");
}

TEST(Report, BreakdownsAsTableAndJson) {
  const std::vector<BreakdownRow> rows = {{"Côte d'Ivoire", {0.5, 0.25, 0.5, 1, 12}},
                                          {"Chad\x1b[31m", {1, 1, 1, 1, 2}},
                                          {"Mali", {1, 1, 1, 1, 2}}};
  EXPECT_EQ(breakdown_table(rows, By::entity, 2),
            "entity         queries     MRR  Hits@1  Hits@3  Hits@10\n"
            "Côte d'Ivoire       12   50.00   25.00   50.00   100.00\n"
            "Chad?[31m            2  100.00  100.00  100.00   100.00\n"
            "… and 1 more\n");
  EXPECT_NE(breakdown_table(rows, By::entity).find("Mali"), std::string::npos);
  const auto json = nlohmann::ordered_json::parse(breakdown_json(rows, By::entity));
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[2].dump(),
            R"({"entity":"Mali","queries":2,"mrr":1.0,"hits1":1.0,"hits3":1.0,"hits10":1.0})");
  EXPECT_EQ(json[1]["entity"], "Chad\x1b[31m");
}

}  // namespace
}  // namespace orrery
