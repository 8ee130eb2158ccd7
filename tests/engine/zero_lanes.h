// What a formula makes of a lane of zeros.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/row_pass.h"

namespace orrery {

// The largest of its penalties and of the gradients that it sends back where nothing is sent to it.
template <class M>
double made_of_zeros() {
  constexpr float clock[clock_readings] = {0.5F, 1, 2, 3};
  FactorRule<double> rule{.penalty_weight = 1, .norm = {}, .lanes = 8, .clock = clock};
  LaneOf<M, double> lane(rule);
  for (double& gate : lane.gates) gate = 0.5;
  double most = 0;
  for (const float exponent : {3.0F, 4.0F}) {
    rule.norm.exponent = exponent;
    for (const std::uint32_t first_lane : {0U, 9U}) {
      LaneElement<M, double> x[row_count<M>], gradients[row_count<M>];
      for (auto& row : x) row = zero_element<double, typename M::Algebra>();
      for (auto& row : gradients) row = zero_element<double, typename M::Algebra>();
      lane.move_to(first_lane);
      query_back<M, double>(lane, x, zero_element<double, QueryAlgebra<M>>(), gradients);
      lane.move_to(first_lane);
      answer_back<M, double>(lane, x, gradients);
      most = std::max(most, std::abs(timeline_back<M, double>(x, 1, rule.norm, gradients)));
      most = std::max(most, std::abs(lane.penalty));
      for (const auto& row : gradients)
        for (const double component : row.c)
          most = std::max(most, std::isnan(component) ? HUGE_VAL : std::abs(component));
    }
  }
  return most;
}

}  // namespace orrery
