// Rows are padded with lanes of zeros, which must stay zeros: a formula makes no factor of them,
// and sends nothing back where nothing is sent to it.
#include <gtest/gtest.h>

#include "engine/battery.h"
#include "engine/slow_model.h"

namespace orrery {
namespace {

class Padding : public ByVariant {};

TEST_P(Padding, IsNothingToTheModel) {
  const ModelPlan small = plan(1);
  EXPECT_EQ(make_slow_model(small, random_tables(small, 1, 1))->made_of_zeros(), 0);
}

INSTANTIATE_TEST_SUITE_P(Variants, Padding, every_variant(), name_of_variant);

}  // namespace
}  // namespace orrery
