// Steps that were not announced, steps after other examples, and steps of nothing, on a GPU.
#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/battery.h"

namespace orrery {
namespace {

constexpr Precision precisions[] = {Precision::fp32, Precision::tf32, Precision::bf16};
constexpr ModelShape shape = {60, 6, 5, 0};

class GpuSteps : public OnGpu {
 protected:
  static StepRules rules() {
    StepRules rules;
    rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
    return rules;
  }
  static std::vector<const ModelVariant*> variants() {
    return {&find_variant("bsca", {}), &find_variant("tntcomplex", {}), &find_variant("boxte", {}),
            &find_variant("hyte", {}), &find_variant("de-simple", {})};
  }
  static std::unique_ptr<Engine> engine_of(const ModelVariant& variant,
                                           const EngineOptions& options) {
    auto engine = make_engine(plan_of(variant, 19, shape), options);
    start_randomly(*engine, 3, 0.3);
    return engine;
  }
  static void expect_same(Engine& found, Engine& wanted, const std::string& what) {
    for (const State state : {State::value, State::optimizer, State::average})
      EXPECT_EQ(read_tables(found, state), read_tables(wanted, state)) << what;
    EXPECT_EQ(found.losses().total(), wanted.losses().total()) << what;
    EXPECT_EQ(found.losses().steps, wanted.losses().steps) << what;
  }
  static void expect_broken(const auto& ask) {
    try {
      ask();
      ADD_FAILURE() << "the step was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::broken) << error.what();
    }
  }
};

// The batch of the second step was prepared, from the old examples, during the first.
TEST_F(GpuSteps, TakeTheExamplesThatWereSetLast) {
  const auto old_examples = random_examples(shape, 60, 1);
  for (const ModelVariant* variant : variants())
    for (const Precision precision : precisions)
      for (const std::int64_t first : {0, 30})
        for (const std::size_t count : {60U, 200U}) {
          const auto examples = random_examples(shape, count, 2);
          const auto changed = engine_of(*variant, options_of("gpu", precision));
          changed->set_examples(old_examples);
          changed->step(1, 0, 30, rules());
          const auto fresh = engine_of(*variant, options_of("gpu", precision));
          for (const State state : {State::value, State::optimizer})
            copy_tables(*changed, *fresh, state);
          fresh->set_losses(changed->losses());
          for (Engine* engine : {changed.get(), fresh.get()}) {
            engine->set_examples(examples);
            engine->step(1, first, 30, rules());
          }
          expect_same(*changed, *fresh,
                      name_of(*variant) + " from " + std::to_string(first) + " of " +
                          std::to_string(count));
        }
}

TEST_F(GpuSteps, MayBeLargerThanAnnouncedAndThenSmaller) {
  const auto examples = random_examples(shape, 60, 1);
  for (const ModelVariant* variant : variants())
    for (const Precision precision : precisions) {
      std::unique_ptr<Engine> announced;
      for (const std::int64_t batch : {40, 10, 1, 0}) {
        EngineOptions options = options_of("gpu", precision);
        options.batch = batch;
        auto engine = engine_of(*variant, options);
        engine->set_examples(examples);
        engine->step(1, 0, 10, rules());
        engine->step(1, 10, 40, rules());
        engine->step(1, 50, 7, rules());
        if (announced == nullptr)
          announced = std::move(engine);
        else
          expect_same(*engine, *announced,
                      name_of(*variant) + ", announced " + std::to_string(batch));
      }
    }
}

// A step with drawn candidates needs memory that others do not.
TEST_F(GpuSteps, MayDrawCandidatesNowAndThen) {
  const auto examples = random_examples(shape, 60, 1);
  for (const ModelVariant* variant : variants())
    for (const Precision precision : precisions) {
      const auto drawing = engine_of(*variant, options_of("gpu", precision));
      drawing->set_examples(examples);
      StepRules drawn = rules();
      drawn.loss.negatives = 20;
      drawing->step(1, 0, 10, rules());
      drawing->step(1, 10, 10, drawn);
      const auto fresh = engine_of(*variant, options_of("gpu", precision));
      fresh->set_examples(examples);
      for (const State state : {State::value, State::optimizer})
        copy_tables(*drawing, *fresh, state);
      fresh->set_losses(drawing->losses());
      for (Engine* engine : {drawing.get(), fresh.get()}) {
        engine->step(1, 20, 10, drawn);
        engine->step(1, 30, 20, rules());
      }
      expect_same(*drawing, *fresh, name_of(*variant));
    }
}

TEST_F(GpuSteps, AreTheSameWithAveragesAnnounced) {
  for (const ModelVariant* variant : variants())
    for (const Precision precision : precisions) {
      EngineOptions options = options_of("gpu", precision);
      const auto unannounced = engine_of(*variant, options);
      options.averages = true;
      options.batch = 30;
      const auto announced = engine_of(*variant, options);
      for (Engine* engine : {unannounced.get(), announced.get()}) {
        engine->set_examples(random_examples(shape, 60, 1));
        EXPECT_FALSE(engine->has_average());
        for (const std::int64_t first : {0, 30}) {
          engine->step(1, first, 30, rules());
          engine->update_average(0.75);
        }
        EXPECT_TRUE(engine->has_average());
      }
      expect_same(*announced, *unannounced, name_of(*variant));
    }
}

TEST_F(GpuSteps, OfNothingAreBroken) {
  for (const ModelVariant* variant : variants()) {
    const auto asked = engine_of(*variant, options_of("gpu"));
    const auto spared = engine_of(*variant, options_of("gpu"));
    expect_broken([&] { asked->step(1, 0, 10, rules()); });  // no examples yet
    for (Engine* engine : {asked.get(), spared.get()})
      engine->set_examples(random_examples(shape, 60, 1));
    for (const std::int64_t count : {0, -1})
      expect_broken([&] { asked->step(1, 0, count, rules()); });
    for (Engine* engine : {asked.get(), spared.get()}) engine->step(1, 0, 30, rules());
    expect_same(*asked, *spared, name_of(*variant));
  }
}

}  // namespace
}  // namespace orrery
