#include "learn/when_json.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/activity.h"

namespace orrery {

std::string when_to_json(const WhenFit& fit) {
  const nlohmann::ordered_json json = {
      {"model", fit.model}, {"activity", fit.activity}, {"facts", fit.facts}};
  return json.dump();
}

WhenFit when_of_json(const nlohmann::json& json) {
  WhenFit fit{.model = json.at("model").get<double>(),
              .activity = json.at("activity").get<std::vector<double>>(),
              .facts = json.at("facts").get<std::uint64_t>()};
  if (fit.activity.size() != Activity::features)
    fail_request("how it tells when has {} numbers instead of {}", fit.activity.size(),
                 Activity::features);
  return fit;
}

}  // namespace orrery
