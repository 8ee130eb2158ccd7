// How much train tells of a fact's parts around each time. Things come in bursts: where the two
// entities of a fact meet on a day by other relations, or where one of them is busier than usual,
// the fact itself is likelier then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/fact_index.h"

namespace orrery {

// Of one fact whose time is not known, on an axis of points.
class Activity {
 public:
  // Facts of train that share something with it, counted in windows of growing distance.
  static constexpr std::size_t kinds = 11, windows = 6, features = kinds * windows;
  using Features = std::array<double, features>;  // by kind, then by window

  Activity(const FactIndex& index, std::int32_t times, std::int32_t subject, std::int32_t relation,
           std::int32_t object);

  // log((facts in the window + a) / (as many as usual + a)): 0 where nothing is out of the usual.
  Features at(std::int32_t time) const;

 private:
  void count(std::size_t kind, std::int32_t time);
  // Facts in times `first` to `last`, of which those beyond the axis are none.
  std::int32_t facts_in(std::size_t kind, std::int32_t first, std::int32_t last) const;

  std::int32_t times_;
  // By kind: how many there are before a time.
  std::array<std::vector<std::int32_t>, kinds> before_;
};

// In words: "the same two, by any relation".
std::string_view activity_name(std::size_t kind);
// The nearest and the farthest distance of a window, in times.
struct ActivityWindow {
  std::int32_t nearest = 0, farthest = 0;
};
ActivityWindow activity_window(std::size_t window);

}  // namespace orrery
