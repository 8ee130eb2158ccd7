#include "orrery/models.h"

#include <gtest/gtest.h>

#include <numeric>

#include "facts/scratch.h"
#include "models/registry.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

TEST(Models, TheLargestDimensionThatFitsIsTaken) {
  const Dataset data = Dataset::demo();
  for (const ModelInfo& info : models()) {
    const std::string& name = info.name;
    TrainOptions options;
    options.model = name;
    const std::int64_t step = std::lcm<std::int64_t>(8, dim_unit(options));
    const auto parameters = [&](std::int64_t dim) {
      options.dim = dim;
      return parameter_count(options, data);
    };
    for (const std::int64_t budget :
         {parameters(step), parameters(2 * step) - 1, parameters(2 * step), parameters(57 * step),
          parameters(100 * step) + 1}) {
      const std::int64_t dim = widest_dim(options, data, budget);
      EXPECT_LE(parameters(dim), budget) << name << ' ' << budget;
      EXPECT_GT(parameters(dim + step), budget) << name << ' ' << budget;
    }
    EXPECT_TRUE(contains(refused([&] { widest_dim(options, data, parameters(step) - 1); }),
                         "take a larger --budget"));
  }
  EXPECT_EQ(widest_dim({}, data, std::int64_t{1} << 50), 1 << 20);  // the bound of --dim
  TrainOptions core;
  core.model = "tuckertnt";
  EXPECT_EQ(widest_dim(core, data, std::int64_t{1} << 50), widest_core);
}

TEST(Models, EmbeddingsThatAreLeftOutAreNotPaidFor) {
  const Dataset data = Dataset::demo();
  TrainOptions options;
  const std::int64_t whole = widest_dim(options, data, 100'000);
  options.without = {"time_add", "time_joint"};
  EXPECT_GT(widest_dim(options, data, 100'000), whole);
}

TEST(Models, WhatThereIsNotHasNoDimension) {
  TrainOptions options;
  options.model = "telm";
  EXPECT_EQ(dim_unit(options), 4);
  options.aux_relation = 1;
  EXPECT_EQ(caught([&] { dim_unit(options); }).option(), "aux-relation");
  options.model = "bcsa";
  EXPECT_EQ(caught([&] { dim_unit(options); }).option(), "model");
}

TEST(Models, AnOptionMayHaveNoEffect) {
  const Dataset data = Dataset::demo();
  TrainOptions options;
  options.epochs = 3;
  EXPECT_EQ(why_no_effect("lr", options, data), "");
  EXPECT_TRUE(contains(why_no_effect("min-facts", options, data), "points in time"));
  EXPECT_EQ(why_no_effect("dropout-of", options, data), "nothing is dropped: dropout is 0");
  options.dropout = 0.1;
  EXPECT_EQ(why_no_effect("dropout-of", options, data), "");
  options.ema = 0.9;
  options.self_distillation = 0.2;
  EXPECT_TRUE(contains(why_no_effect("self-distillation", options, data), "after epoch 10"));
  options.self_distillation_from = 2;
  EXPECT_EQ(why_no_effect("self-distillation", options, data), "");
  EXPECT_EQ(why_no_effect("lambda-time", options, data), "");
  options.model = "complex";
  EXPECT_EQ(why_no_effect("lambda-time", options, data), "there are no embeddings of times");
}

}  // namespace
}  // namespace orrery
