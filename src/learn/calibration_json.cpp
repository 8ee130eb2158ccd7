#include "learn/calibration_json.h"

#include <nlohmann/json.hpp>

namespace orrery {
namespace {

nlohmann::ordered_json json_of(const ProbabilityCurve& curve) {
  return {{"slope", curve.slope}, {"tail", curve.tail}, {"offset", curve.offset}};
}

ProbabilityCurve curve_of(const nlohmann::json& json) {
  return {json.at("slope").get<double>(), json.at("tail").get<double>(),
          json.at("offset").get<double>()};
}

}  // namespace

std::string calibration_to_json(const Calibration& calibration) {
  const nlohmann::ordered_json json = {{"object", json_of(calibration.object)},
                                       {"subject", json_of(calibration.subject)},
                                       {"fact",
                                        {{"object", calibration.fact.object},
                                         {"subject", calibration.fact.subject},
                                         {"weaker", calibration.fact.weaker},
                                         {"offset", calibration.fact.offset},
                                         {"curve", json_of(calibration.fact_curve)}}},
                                       {"facts", calibration.facts}};
  return json.dump();
}

Calibration calibration_of_json(const nlohmann::json& json) {
  const auto& fact = json.at("fact");
  return {.object = curve_of(json.at("object")),
          .subject = curve_of(json.at("subject")),
          .fact = {fact.at("object").get<double>(), fact.at("subject").get<double>(),
                   fact.at("weaker").get<double>(), fact.at("offset").get<double>()},
          .fact_curve = curve_of(fact.at("curve")),
          .facts = json.at("facts").get<std::uint64_t>()};
}

}  // namespace orrery
