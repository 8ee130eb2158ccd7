// What rows start with, and components that begin later.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"

namespace orrery {
namespace {

TEST(StartRows, HaveTheMeanAndSpreadThatTheModelSays) {
  const ModelVariant& boxte = find_variant("boxte", {});
  const auto engine = make_engine(plan_of(boxte, 64, {40, 30, 20, 0}), {.threads = 2});
  start_randomly(*engine, 5, 0.01);
  const auto tables = read_tables(*engine, State::value);
  for (std::size_t r = 0; r < tables.size(); ++r) {
    const RowSpec& row = boxte.rows[r];
    const double wanted = row.start_spread > 0 ? row.start_spread : 0.01;
    double sum = 0, squares = 0;
    for (const double x : tables[r]) {
      sum += x - row.start_mean;
      squares += (x - row.start_mean) * (x - row.start_mean);
    }
    const auto count = static_cast<double>(tables[r].size());
    EXPECT_NEAR(sum / count, 0, 5 * wanted / std::sqrt(count)) << row.name;
    EXPECT_NEAR(std::sqrt(squares / count), wanted, 0.1 * wanted) << row.name;
  }
}

class LaterComponents : public testing::TestWithParam<std::string> {
 protected:
  static constexpr std::int32_t lanes = 5;
  const ModelVariant& telm = find_variant("telm", {});
  const ModelPlan plan = plan_of(telm, lanes);

  static bool is_later(std::size_t place) {
    const std::size_t component = place / lanes % 4;
    return component == 1 || component == 2;
  }
};

TEST_P(LaterComponents, StayZeroUntilTheyAreStarted) {
  const auto engine = make_engine(plan, options_of(GetParam()));
  start_randomly(*engine, 5, 0.3);
  const auto start = read_tables(*engine, State::value);
  clear_later_components(*engine);
  engine->set_examples(random_examples(plan.shape, 60, 2));
  StepRules rules;
  rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
  for (std::int64_t i = 0; i < 3; ++i) engine->step(7, 20 * i, 20, rules);
  const auto trained = read_tables(*engine, State::value);
  start_later_components(*engine, 5, 0.3);
  const auto begun = read_tables(*engine, State::value);
  for (std::size_t r = 0; r < start.size(); ++r)
    for (std::size_t i = 0; i < start[r].size(); ++i)
      if (is_later(i)) {
        EXPECT_EQ(trained[r][i], 0) << telm.rows[r].name << " at " << i;
        EXPECT_EQ(begun[r][i], start[r][i]) << telm.rows[r].name << " at " << i;
      } else {
        EXPECT_NE(trained[r][i], start[r][i]) << telm.rows[r].name << " at " << i;
        EXPECT_EQ(begun[r][i], trained[r][i]) << telm.rows[r].name << " at " << i;
      }
}

INSTANTIATE_TEST_SUITE_P(Targets, LaterComponents, testing::ValuesIn(targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace orrery
