// How well a model is calibrated, for people and for programs.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "orrery/report.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct MeasurePart {
  std::string_view name;   // in JSON
  std::string_view title;  // in tables
  CalibrationMeasure CalibrationReport::*value = nullptr;
};
constexpr std::array measure_parts = {
    MeasurePart{"first", "best answer", &CalibrationReport::first},
    MeasurePart{"ten", "ten best answers", &CalibrationReport::ten},
    MeasurePart{"fact", "whole facts", &CalibrationReport::fact}};

Json json_of(const Reliability& reliability) {
  Json json = {{"ece_equal_mass", reliability.equal_mass},
               {"ece_equal_width", reliability.equal_width},
               {"bins", Json::array()}};
  for (const ReliabilityBin& bin : reliability.bins)
    json["bins"].push_back(
        {{"probability", bin.probability}, {"truth", bin.truth}, {"count", bin.count}});
  return json;
}

std::string figure(double value) { return fmt::format("{:.3f}", value); }

std::string bins_table(const Reliability& reliability) {
  TextTable table({"probability", "true", "answers"});
  for (const ReliabilityBin& bin : reliability.bins)
    table.add({figure(bin.probability), figure(bin.truth), grouped(bin.count)});
  return table.text();
}

}  // namespace

std::string calibration_text(const CalibrationReport& report) {
  const bool calibrated = report.first.after.has_value();
  std::vector<std::string> titles = {"calibration error", "predictions", "softmax", "equal width"};
  if (calibrated) titles.insert(titles.end(), {"calibrated", "equal width"});
  TextTable table(titles);
  for (const MeasurePart& part : measure_parts) {
    const CalibrationMeasure& measure = report.*part.value;
    std::vector<std::string> cells = {std::string(part.title), grouped(measure.count),
                                      figure(measure.before.equal_mass),
                                      figure(measure.before.equal_width)};
    if (measure.after) {
      cells.push_back(figure(measure.after->equal_mass));
      cells.push_back(figure(measure.after->equal_width));
    }
    table.add(cells);
  }
  const Reliability& shown = calibrated ? *report.first.after : report.first.before;
  return fmt::format("{}{}\nbest answers by {} probability, in bins of equal mass:\n{}",
                     table.text(),
                     calibrated ? ""
                                : "the model has no calibration: it was trained by an earlier "
                                  "version, or with too few facts to validate with\n",
                     calibrated ? "calibrated" : "softmax", bins_table(shown));
}

std::string calibration_json(const CalibrationReport& report) {
  Json json = {{"split", name_of(report.split)}};
  for (const MeasurePart& part : measure_parts) {
    const CalibrationMeasure& measure = report.*part.value;
    Json one = {{"count", measure.count}, {"softmax", json_of(measure.before)}};
    one["calibrated"] = measure.after ? json_of(*measure.after) : Json(nullptr);
    json[std::string(part.name)] = one;
  }
  return json.dump(2);
}

}  // namespace orrery
