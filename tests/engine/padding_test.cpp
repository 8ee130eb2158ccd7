// Rows are padded with lanes of zeros, which must stay zeros: a formula makes no factor of them,
// and sends nothing back where nothing is sent to it.
#include <gtest/gtest.h>

#include "engine/row_pass.h"
#include "models/list.h"

namespace orrery {
namespace {

template <class M>
void expect_nothing_from_zeros() {
  constexpr float clock[clock_readings] = {0.5F, 1, 2, 3};
  FactorRule<double> rule{.penalty_weight = 1, .norm = {}, .lanes = 8, .clock = clock};
  LaneOf<M, double> lane(rule);
  for (double& gate : lane.gates) gate = 0.5;
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
      EXPECT_EQ((timeline_back<M, double>(x, 1, rule.norm, gradients)), 0);
      EXPECT_EQ(lane.penalty, 0);
      for (const auto& row : gradients)
        for (const double component : row.c) EXPECT_EQ(component, 0);
    }
  }
}

TEST(Padding, IsNothingToEveryModel) {
  []<class... Models>(ModelList<Models...>) {
    (
        [] {
          SCOPED_TRACE(Models::name);
          expect_nothing_from_zeros<Models>();
        }(),
        ...);
  }(AllModels{});
}

}  // namespace
}  // namespace orrery
