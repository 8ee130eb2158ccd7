// A run on a GPU stays close to the same run on the CPU, and moves between the two.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"

namespace orrery {
namespace {

constexpr std::int64_t short_batch = 60;
constexpr State all_states[] = {State::value, State::optimizer, State::average};

class GpuRuns : public OnGpu {
 protected:
  static StepRules rules() {
    StepRules rules;
    rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
    return rules;
  }
  static std::unique_ptr<Engine> engine_on(const std::string& device, const ModelVariant& variant,
                                           Precision precision = Precision::fp32) {
    EngineOptions options{.device = device, .threads = 2, .precision = precision};
    auto engine = make_engine(plan_of(variant, 19, {60, 6, 5, 0}), options);
    engine->set_examples(random_examples(engine->plan().shape, 3 * short_batch, 6));
    start_randomly(*engine, 3, 0.3);
    return engine;
  }
};

TEST_F(GpuRuns, StayCloseToTheCpus) {
  for (const ModelVariant& variant : all_variants()) {
    const auto cpu = engine_on("cpu", variant), gpu = engine_on("cuda", variant);
    for (std::int64_t i = 0; i < 3; ++i) {
      for (Engine* engine : {cpu.get(), gpu.get()})
        engine->step(1, i * short_batch, short_batch, rules());
      const LossSums found = gpu->losses(), wanted = cpu->losses();
      EXPECT_NEAR(found.cross_entropy, wanted.cross_entropy, 1e-4 * wanted.cross_entropy)
          << name_of(variant) << ", step " << i;
      EXPECT_NEAR(found.n3, wanted.n3, 1e-4 * wanted.n3) << name_of(variant) << ", step " << i;
      EXPECT_NEAR(found.time, wanted.time, 1e-4 * wanted.time)
          << name_of(variant) << ", step " << i;
    }
  }
}

TEST_F(GpuRuns, ContinueByteForByteAfterAVisitToTheCpu) {
  for (const ModelVariant& variant : all_variants())
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
      const auto whole = engine_on("cuda", variant, precision);
      whole->step(1, 0, short_batch, rules());
      whole->update_average(0.9);
      whole->step(1, short_batch, short_batch, rules());
      const auto cpu = engine_on("cpu", variant), back = engine_on("cuda", variant, precision);
      for (const State state : all_states) {
        copy_tables(*whole, *cpu, state);
        copy_tables(*cpu, *back, state);
      }
      cpu->set_losses(whole->losses());
      back->set_losses(cpu->losses());
      for (Engine* engine : {whole.get(), back.get()}) {
        engine->step(1, 2 * short_batch, short_batch, rules());
        engine->update_average(0.9);
      }
      for (const State state : all_states)
        EXPECT_EQ(read_tables(*back, state), read_tables(*whole, state)) << name_of(variant);
      EXPECT_EQ(back->losses().total(), whole->losses().total()) << name_of(variant);
    }
}

// Either device takes up what the other has begun: one step from there is the same step.
TEST_F(GpuRuns, AreTakenUpByTheOtherDevice) {
  const ModelVariant& variant = all_variants()[0];
  for (const std::string start : {"cpu", "cuda"}) {
    const auto first = engine_on(start, variant);
    const auto second = engine_on(start == "cpu" ? "cuda" : "cpu", variant);
    first->step(1, 0, short_batch, rules());
    for (const State state : {State::value, State::optimizer}) copy_tables(*first, *second, state);
    const auto before = read_tables(*first, State::optimizer);
    for (Engine* engine : {first.get(), second.get()})
      engine->step(1, short_batch, short_batch, rules());
    const auto wanted = read_tables(*first, State::optimizer);
    const auto found = read_tables(*second, State::optimizer);
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      double largest = 0;
      for (std::size_t i = 0; i < wanted[r].size(); ++i)
        largest = std::max(largest, wanted[r][i] - before[r][i]);
      for (std::size_t i = 0; i < wanted[r].size(); ++i)
        ASSERT_NEAR(found[r][i], wanted[r][i], 1e-4 * largest + 1e-6 * wanted[r][i])
            << "begun on " << start << ", " << variant.rows[r].name << " at " << i;
    }
  }
}

}  // namespace
}  // namespace orrery
