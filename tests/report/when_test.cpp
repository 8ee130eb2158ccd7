#include "orrery/when.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orrery/report.h"

namespace orrery {
namespace {

WhenReport some_report() {
  return {.split = Split::valid,
          .facts = 1234,
          .times = 365,
          .model = {.mean = 90.25, .median = 34, .mrr = 0.337, .hits10 = 0.406},
          .fit = TimeRanks{.mean = 68.5, .median = 15, .mrr = 0.371, .hits10 = 0.45}};
}

TEST(WhenReportText, HasBothRowsAndWhatChanceWouldGive) {
  const std::string text = when_text(some_report());
  for (const char* part : {"by the model alone", "90.2", "with activity", "68.5", "37.1", "1,234",
                           "valid", "365 times", "by chance the mean rank is 183"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
}

TEST(WhenReportText, SaysWhereThereIsNoFit) {
  WhenReport report = some_report();
  report.fit.reset();
  const std::string text = when_text(report);
  EXPECT_EQ(text.find("with activity"), std::string::npos) << text;
  EXPECT_NE(text.find("no fit of activity"), std::string::npos) << text;
  EXPECT_TRUE(nlohmann::json::parse(when_json(report)).at("fit").is_null());
}

TEST(WhenReportJson, HasTheSameNumbers) {
  const auto json = nlohmann::json::parse(when_json(some_report()));
  EXPECT_EQ(json.at("split"), "valid");
  EXPECT_EQ(json.at("facts"), 1234);
  EXPECT_EQ(json.at("times"), 365);
  EXPECT_EQ(json.at("model").at("mean_rank"), 90.25);
  EXPECT_EQ(json.at("fit").at("median_rank"), 15);
  EXPECT_EQ(json.at("fit").at("mrr"), 0.371);
  EXPECT_EQ(json.at("fit").at("hits10"), 0.45);
}

}  // namespace
}  // namespace orrery
