#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "engine/optimizers/step_size.h"
#include "math/scalar.h"

namespace orrery {

// Kingma, Ba: Adam: A Method for Stochastic Optimization, ICLR 2015. Dense: the means of a row
// without a gradient decay and move it all the same.
struct Adam {
  static constexpr std::string_view name = "adam";
  static constexpr std::array<std::string_view, 2> states = {"adam_mean",  // of g
                                                             "adam_square_mean"};
  static constexpr bool zero_gradients_change_nothing = false;
  static constexpr double learning_rate = 0.01, epsilon = 1e-8;
  static constexpr double mean_decay = 0.9, square_decay = 0.999;

  template <class T>
  ORRERY_INLINE static void update(T& value, T* state, const T& g, const StepSize<T>& step) {
    // One multiplication an addition: a compiler that fuses them has no choice, and so no loop
    // rounds otherwise.
    const T mean = state[0] + T(1 - mean_decay) * (g - state[0]);
    const T square = state[1] + T(1 - square_decay) * (g * g - state[1]);
    state[0] = mean;
    state[1] = square;
    value -= step.rate * mean / (square_root(square) + step.epsilon);
  }

  // The means' bias is the same for all parameters: mean / (1 − β₁ᵗ) over √(square / (1 − β₂ᵗ))
  // plus epsilon is this rate and this epsilon.
  static StepSize<double> step_size(double rate, double damping, std::int64_t steps_before) {
    const auto steps = static_cast<double>(steps_before + 1);
    const double mean_share = 1 - std::pow(mean_decay, steps);
    const double root_share = std::sqrt(1 - std::pow(square_decay, steps));
    return {rate * root_share / mean_share, damping * root_share};
  }
};

}  // namespace orrery
