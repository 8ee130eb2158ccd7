#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "facts/scratch.h"
#include "page/report.h"
#include "paper/patterns.h"

namespace orrery {
namespace {

using testing::contains;

Patterns example_patterns() {
  Patterns patterns;
  patterns.split = "test";
  patterns.all = {100, 0.5};
  patterns.treatments = {
      {RelationPattern::symmetric, 1, {40, 0.6}, {30, 0.7}, {10, 0.3}},
      {RelationPattern::inverse, 0, {}, {}, {}},
      {RelationPattern::evolving, 1, {20, 0.4}, {5, 0.9}, {15, 0.2333}},
      {RelationPattern::none, 7, {40, 0.45}, {}, {}},
  };
  PatternRelation consult{.pattern = RelationPattern::symmetric,
                          .relation = "Consult",
                          .other = "Consult",
                          .facts = 200,
                          .agreeing = 190,
                          .score = {40, 0.6},
                          .distance = 0.33};
  PatternRelation visit{.pattern = RelationPattern::evolving,
                        .relation = "Intend",
                        .other = "Visit",
                        .turned = false,
                        .lag = 3,
                        .facts = 100,
                        .agreeing = 50,
                        .by_chance = 10,
                        .score = {20, 0.4},
                        .distance = 0.39};
  patterns.relations = {consult, visit};
  patterns.distances = {{"symmetric relations: R and R†", 1, 0.33, 0},
                        {"inverse pairs: R₁ and R₂†", 0, 0, 0}};
  patterns.sampled_times = 24;
  patterns.times = 365;
  return patterns;
}

TEST(PatternsReport, SaysWhatWasFoundAndHowItIsTreated) {
  const Report report = patterns_report(example_patterns());
  for (const Block& block : report.blocks) {
    const auto* table = std::get_if<Table>(&block);
    if (table == nullptr) continue;
    for (const auto& row : table->rows) EXPECT_EQ(row.size(), table->columns.size());
  }
  const std::string text = report_markdown(report);
  EXPECT_TRUE(contains(text, "| symmetric | 1 | 40 | 60.00 | 30 | 70.00 | 10 | 30.00 |")) << text;
  EXPECT_TRUE(contains(text, "| inverse | 0 | 0 | — | 0 | — | 0 | — |")) << text;
  EXPECT_TRUE(contains(text, "Intend → Visit (3 later)")) << text;
  EXPECT_TRUE(contains(text, "50.00 | 10.00")) << text;
  EXPECT_TRUE(contains(text, "24 of the 365 times")) << text;
  EXPECT_TRUE(contains(text, "| symmetric relations: R and R† | 1 | 0.330 | — |")) << text;
}

TEST(PatternsReport, ADistanceThatCannotBeMeasuredIsADash) {
  Patterns patterns = example_patterns();
  for (PatternRelation& relation : patterns.relations) relation.distance = std::nan("");
  EXPECT_FALSE(contains(report_markdown(patterns_report(patterns)), "nan"));
}

TEST(PatternsReport, WithoutDistancesItSaysWhy) {
  Patterns patterns = example_patterns();
  patterns.distances.clear();
  patterns.no_distances = "relations of complex are no biquaternions";
  const std::string text = report_markdown(patterns_report(patterns));
  EXPECT_TRUE(contains(text, "Not measured: relations of complex are no biquaternions.")) << text;
  EXPECT_FALSE(patterns_json(patterns).contains("distances"));
}

TEST(PatternsReport, OfDataWithoutPatterns) {
  Patterns patterns = example_patterns();
  patterns.relations.clear();
  EXPECT_TRUE(contains(report_markdown(patterns_report(patterns)), "No relation of this data"));
}

TEST(PatternsReport, JsonHoldsAllNumbers) {
  const auto json = patterns_json(example_patterns());
  EXPECT_EQ(json.at("all").at("facts"), 100);
  EXPECT_EQ(json.at("patterns").at(0).at("counterpart_in_training").at("mrr"), 0.7);
  EXPECT_FALSE(json.at("patterns").at(3).contains("counterpart_in_training"));
  EXPECT_EQ(json.at("relations").at(1).at("lag"), 3);
  EXPECT_EQ(json.at("distances").at(0).at("mean"), 0.33);
}

}  // namespace
}  // namespace orrery
