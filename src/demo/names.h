// The cast of the demo world: invented names, and who belongs where.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

// Entity ids by kind; state i lies in region i / 4 and continent i / 12, city i in state i / 2.
struct DemoCast {
  static constexpr int states = 48, leaders = 48, cities = 96, regions = 12, continents = 4;
  static constexpr int organisations = 24, newspapers = 12;

  static constexpr int first_state = 0;
  static constexpr int first_leader = first_state + states;
  static constexpr int first_city = first_leader + leaders;
  static constexpr int first_region = first_city + cities;
  static constexpr int first_continent = first_region + regions;
  static constexpr int first_organisation = first_continent + continents;
  static constexpr int first_newspaper = first_organisation + organisations;
  static constexpr int entities = first_newspaper + newspapers;
};

// The name of each entity id. The seed deals the names of a kind to its members.
std::vector<std::string> make_demo_names(std::uint64_t seed);

}  // namespace orrery
