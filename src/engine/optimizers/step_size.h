// What all parameters of a table have in common in one step.
#pragma once

namespace orrery {

template <class T>
struct StepSize {
  T rate = 0, epsilon = 0;
};

// As the engines' loops take it.
inline StepSize<float> in_float(const StepSize<double>& step) {
  return {static_cast<float>(step.rate), static_cast<float>(step.epsilon)};
}

}  // namespace orrery
