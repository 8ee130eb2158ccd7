#include "orrery/calibration.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orrery/report.h"

namespace orrery {
namespace {

CalibrationReport made_report(bool calibrated) {
  CalibrationReport report;
  double error = 0.5;
  for (auto part : {&CalibrationReport::first, &CalibrationReport::ten, &CalibrationReport::fact}) {
    (report.*part).before = {error, error / 2, {{0.9, 0.4, 10}}};
    if (calibrated) (report.*part).after = {error / 50, error / 100, {{0.41, 0.4, 10}}};
    (report.*part).count = 10;
    error -= 0.1;
  }
  return report;
}

TEST(CalibrationReport, SaysBothErrorsBeforeAndAfter) {
  const std::string text = calibration_text(made_report(true));
  for (const char* shown : {"best answer", "whole facts", "0.500", "0.250", "0.010", "0.410"})
    EXPECT_NE(text.find(shown), std::string::npos) << shown << "\n" << text;
  const auto json = nlohmann::json::parse(calibration_json(made_report(true)));
  EXPECT_EQ(json["split"], "test");
  EXPECT_EQ(json["ten"]["count"], 10);
  EXPECT_EQ(json["ten"]["softmax"]["ece_equal_mass"], 0.4);
  EXPECT_EQ(json["first"]["calibrated"]["ece_equal_width"], 0.005);
  EXPECT_EQ(json["fact"]["calibrated"]["bins"][0]["truth"], 0.4);
}

TEST(CalibrationReport, SaysWhereAModelHasNone) {
  EXPECT_NE(calibration_text(made_report(false)).find("the model has no calibration"),
            std::string::npos);
  const auto json = nlohmann::json::parse(calibration_json(made_report(false)));
  EXPECT_TRUE(json["first"]["calibrated"].is_null());
}

}  // namespace
}  // namespace orrery
