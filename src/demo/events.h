// Worlds of events as large as the benchmark sets: their numbers of facts, names and days, names of
// uneven popularity, facts that come back, and rules that a model can learn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/temporal_graph.h"
#include "facts/date.h"

namespace orrery {

struct EventShape {
  std::string like;             // the benchmark set
  std::uint64_t facts[3] = {};  // by Split
  std::int32_t entities = 0, relations = 0, days = 0;
  Date first_day;
};

// gdelt's, icews14's or icews05-15's; others hold intervals: a request Error. A smaller scale makes
// as much of the facts; names and days shrink by its fourth root, so that the share of facts among
// all combinations of names and days stays.
EventShape event_shape_like(std::string_view set, double scale = 1);

struct EventWorld {
  EventShape shape;
  std::uint64_t seed = 1;
  std::vector<Fact> events[3];  // by Split; `when` is the day, from 0 on, in whose order they are
};

// Exactly the counts of the shape: no fact occurs twice, and each entity, relation and day is in
// train.
EventWorld make_event_world(const EventShape& shape, std::uint64_t seed = 1);

// Writes train.txt, valid.txt, test.txt and README.txt, by the rules of write_new_files.
std::vector<std::filesystem::path> write_event_world(const EventWorld& world,
                                                     const std::filesystem::path& directory);

}  // namespace orrery
