// The optimizers of the list as data. Their updates are compiled into the engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/optimizers/step_size.h"

namespace orrery {

struct Optimizer {
  std::string_view name;
  std::size_t index = 0;                     // in the list
  std::span<const std::string_view> states;  // of a parameter, by their names in a state file
  bool zero_gradients_change_nothing = false;
  double learning_rate = 0, epsilon = 0;  // that usually do
  StepSize<double> (*step_size)(double rate, double epsilon, std::int64_t steps_before) = nullptr;
};

std::span<const Optimizer> all_optimizers();
std::vector<std::string> optimizer_names();
// An empty name is that of the default, an unknown one a request Error.
const Optimizer& find_optimizer(std::string_view name);

}  // namespace orrery
