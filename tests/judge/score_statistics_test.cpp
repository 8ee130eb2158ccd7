#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "orrery/scores.h"
#include "page/json_fields.h"
#include "page/scores_json.h"
#include "page/text_table.h"

namespace orrery {
namespace {

TEST(Scores, HaveMeanAndSampleDeviation) {
  const std::vector<Scores> runs = {{0.2, 0.1, 0.3, 0.4}, {0.4, 0.1, 0.3, 0.8}};
  const ScoreStatistics both = statistics_of(runs);
  EXPECT_DOUBLE_EQ(both.mean.mrr, 0.3);
  EXPECT_NEAR(both.deviation.mrr, 0.2 / std::sqrt(2.0), 1e-15);
  EXPECT_DOUBLE_EQ(both.mean.hits10, 0.6);
  EXPECT_EQ(both.deviation.hits1, 0);
  EXPECT_EQ(statistics_of(std::span(runs).first(1)).deviation.mrr, 0);
}

TEST(Statistics, OfPlainNumbers) {
  const std::vector<double> values = {1, 2, 6};
  EXPECT_DOUBLE_EQ(statistics_of(values).mean, 3);
  EXPECT_NEAR(statistics_of(values).deviation, std::sqrt(7.0), 1e-15);
  EXPECT_EQ(statistics_of(std::span(values).first(1)).deviation, 0);
  EXPECT_EQ(statistics_of(std::span<const double>()).mean, 0);
}

TEST(Scores, ComeBackFromJson) {
  const Scores scores = {0.5, 0.25, 0.75, 1};
  const Scores back = json_scores(scores_to_json(scores));
  for (const ScorePart& part : score_parts)
    EXPECT_EQ(back.*part.value, scores.*part.value) << part.name;
  EXPECT_THROW(json_scores(nlohmann::json{{"hits1", 1}}), Error);
  EXPECT_THROW(json_scores(nlohmann::json{{"mrr", 1}, {"hits1", "many"}}), Error);
}

TEST(Scores, AFigureThatAnEarlierVersionDidNotWriteIsUnknown) {
  auto json = scores_to_json({0.5, 0.25, 0.75, 1});
  json.erase("hits3");
  const Scores back = json_scores(json);
  EXPECT_EQ(back.mrr, 0.5);
  EXPECT_EQ(back.hits10, 1);
  EXPECT_TRUE(std::isnan(back.hits3));
  EXPECT_EQ(percent(back.hits3), "—");
  // Written again it stays unknown, and so does a mean over it.
  const auto again = nlohmann::json::parse(scores_to_json(back).dump());
  EXPECT_TRUE(std::isnan(json_scores(again).hits3));
  const std::vector<Scores> runs = {back, {0.5, 0.25, 0.75, 1}};
  EXPECT_TRUE(std::isnan(statistics_of(runs).mean.hits3));
  EXPECT_EQ(statistics_of(runs).mean.hits1, 0.25);
}

}  // namespace
}  // namespace orrery
