#include "learn/additions_json.h"

#include <nlohmann/json.hpp>

namespace orrery {

std::string additions_to_json(std::span<const Addition> additions) {
  auto json = nlohmann::ordered_json::array();
  for (const Addition& a : additions)
    json.push_back({{"facts", a.facts},
                    {"entities", a.entities},
                    {"relations", a.relations},
                    {"times", a.times},
                    {"touched", a.touched},
                    {"first_time", a.first_time},
                    {"last_time", a.last_time},
                    {"facts_fingerprint", a.facts_fingerprint},
                    {"model_fingerprint", a.model_fingerprint}});
  return json.dump();
}

std::vector<Addition> additions_of_json(const nlohmann::json& json) {
  std::vector<Addition> additions;
  for (const auto& a : json)
    additions.push_back({.facts = a.at("facts"),
                         .entities = a.at("entities"),
                         .relations = a.at("relations"),
                         .times = a.at("times"),
                         .touched = a.at("touched"),
                         .first_time = a.at("first_time"),
                         .last_time = a.at("last_time"),
                         .facts_fingerprint = a.at("facts_fingerprint"),
                         .model_fingerprint = a.at("model_fingerprint")});
  return additions;
}

}  // namespace orrery
