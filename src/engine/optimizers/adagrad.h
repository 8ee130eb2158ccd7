#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/optimizers/step_size.h"
#include "math/scalar.h"

namespace orrery {

// Duchi, Hazan, Singer: Adaptive Subgradient Methods for Online Learning and Stochastic
// Optimization, JMLR 2011.
struct Adagrad {
  static constexpr std::string_view name = "adagrad";
  static constexpr std::array<std::string_view, 1> states = {"adagrad"};  // Σ g²
  static constexpr bool zero_gradients_change_nothing = true;
  static constexpr double learning_rate = 0.2, epsilon = 1e-10;

  template <class T>
  ORRERY_INLINE static void update(T& value, T* state, const T& g, const StepSize<T>& step) {
    const T sum = state[0] + g * g;
    state[0] = sum;
    value -= step.rate * g / (square_root(sum) + step.epsilon);
  }

  static StepSize<double> step_size(double rate, double damping, std::int64_t /*steps_before*/) {
    return {rate, damping};
  }
};

}  // namespace orrery
