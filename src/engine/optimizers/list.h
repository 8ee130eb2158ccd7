// Every optimizer of the library. To add one: write its header, name it here.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/optimizers/adagrad.h"
#include "engine/optimizers/adam.h"

namespace orrery {

template <class... Optimizers>
struct OptimizerList {
  static constexpr std::size_t count = sizeof...(Optimizers);
  // That a parameter has beside its value, at most.
  static constexpr std::size_t most_states = std::max({Optimizers::states.size()...});
};

// The first is the default.
using AllOptimizers = OptimizerList<Adagrad, Adam>;

// Calls body<Optimizer>() for that of the list's `index`.
template <class Body, class... Optimizers>
void with_optimizer(std::size_t index, const Body& body, OptimizerList<Optimizers...>) {
  std::size_t place = 0;
  ((place++ == index ? body.template operator()<Optimizers>() : void()), ...);
}
template <class Body>
void with_optimizer(std::size_t index, const Body& body) {
  with_optimizer(index, body, AllOptimizers{});
}

}  // namespace orrery
