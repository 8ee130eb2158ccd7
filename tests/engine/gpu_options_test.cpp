// What a GPU engine can be asked for, and what it refuses to start with.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "base/memory_budget.h"
#include "engine/battery.h"
#include "engine/cuda/backend.h"
#include "engine/quiz.h"
#include "engine/refusal.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

using Gpu = OnGpu;
using GpuOptions = OnGpu;
using GpuMemory = OnGpu;

// Where this one is skipped, no test of the battery ran on a GPU.
TEST_F(Gpu, GoesThroughTheBattery) {
  const auto names = targets();
  EXPECT_NE(std::ranges::find(names, "gpu"), names.end());
}

TEST_F(GpuOptions, ANumberThatIsNotThereIsRefusedWithHowManyThereAre) {
  const Error error = caught([] { make_engine(tiny_plan, {.device = "cuda:99"}); });
  EXPECT_EQ(error.option(), "device");
  const std::string message = error.message();
  EXPECT_NE(message.find("cuda:99"), std::string::npos) << message;
  const std::regex count("\\b" + std::to_string(cuda::device_count()) + "\\b");
  EXPECT_TRUE(std::regex_search(message, count)) << message;
}

TEST_F(GpuOptions, AllNamesOfTheFirstOneAreTheSame) {
  for (const std::string device : {"auto", "cuda", "cuda:0"})
    EXPECT_EQ(make_engine(tiny_plan, {.device = device})->description(),
              make_engine(tiny_plan, {.device = "cuda"})->description());
}

TEST_F(GpuOptions, AreDescribed) {
  for (const auto& [precision, tolerance, name] : roundings) {
    const auto engine = make_engine(tiny_plan, options_of("gpu", precision));
    const std::string text = engine->description();
    EXPECT_FALSE(text.starts_with("cpu")) << text;
    EXPECT_NE(text.find(name), std::string::npos) << text;
  }
}

TEST_F(GpuMemory, ThatDoesNotSufficeIsRefusedWithBothNumbers) {
  const ModelPlan plan{&all_variants()[0], {1000, 10, 10, 400}, {}};
  EngineOptions options = options_of("gpu");
  options.memory = std::uint64_t{1} << 20;
  const std::string message = refusal([&] {
    const auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, 10, 1));
    engine->step(1, 0, 10, {});
  });
  EXPECT_NE(message.find(format_memory(options.memory)), std::string::npos) << message;
  const std::regex needed("needs [0-9.]+ [KMG]iB");
  EXPECT_TRUE(std::regex_search(message, needed)) << message;
}

// What training will need is asked for before it begins, not at the first average.
TEST_F(GpuMemory, ThatSufficesWithoutAveragesHasThemOnTheHost) {
  const ModelPlan plan{&all_variants()[0], {20000, 10, 10, 400}, {}};
  const auto examples = random_examples(plan.shape, 100, 1);
  EngineOptions options = options_of("gpu");
  options.batch = 100;
  const auto ready = [&] {
    auto engine = make_engine(plan, options);
    engine->set_examples(examples);
    return engine;
  };
  std::uint64_t needed = 0;
  const std::uint64_t averages = std::uint64_t{20000} * 400 * sizeof(float);
  for (options.memory = averages; needed == 0; options.memory += averages / 4) {
    ASSERT_LT(options.memory, 100 * averages);
    try {
      if (ready()->description().find("host") == std::string::npos) needed = options.memory;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), Error::Kind::model) << error.what();
    }
  }
  options.memory = needed;
  options.averages = true;
  for (const auto& [memory, on_host] :
       {std::pair{needed, true}, {needed + 2 * averages, false}}) {  // rows are padded
    options.memory = memory;
    const auto engine = ready();
    EXPECT_EQ(engine->description().find("host") != std::string::npos, on_host)
        << engine->description();
    engine->step(1, 0, 100, {});
    engine->update_average(0.5);
    EXPECT_EQ(read_tables(*engine, State::average), read_tables(*engine, State::value));
  }
}

// Nobody has that much: what the device has is named instead of a budget.
TEST_F(GpuMemory, BeyondTheDeviceIsRefused) {
  const ModelPlan plan{&all_variants()[0], {2'000'000'000, 10, 10, 8000}, {}};
  const std::string message = refusal([&] { make_engine(plan, options_of("gpu")); });
  const std::regex needed("needs [0-9.]+ [GT]iB");
  EXPECT_TRUE(std::regex_search(message, needed)) << message;
}

// The smallest budget that is accepted, to a sixteenth: the score matrix of the batch is larger.
TEST_F(GpuMemory, ThatIsScarceIsMetWithSmallerChunks) {
  const std::int32_t entities = 20000;
  const std::size_t count = 2000;
  StepCase test{
      .lanes = 4, .shape = {entities, 6, 4, 0}, .examples = count, .first = 0, .count = count};
  test.scale = 0.4;
  test.skewed = true;
  // (Of so many |x| some turn their sign by rounding: the distance is a smooth one.)
  for (const auto& [model, taught] : {std::pair{&find_variant("tntcomplex", {}), false},
                                      {&find_variant("ttranse", {{"distance", "l2"}}), false},
                                      {&find_variant("tcomplex", {}), false},
                                      {&find_variant("tcomplex", {}), true}}) {
    if (model->name == "tcomplex") test.rules.auxiliary = {0.5, 1.5};
    if (taught) test.rules.teacher_share = 0.4F;
    const SlowStep truth(*model, test);
    const Quiz quiz = random_quiz(truth.plan().shape, 700);
    for (const auto& [precision, tolerance, name] : roundings) {
      EngineOptions options = options_of("gpu", precision);
      options.batch = static_cast<std::int64_t>(count);
      options.auxiliary = test.rules.has_auxiliary_losses();
      options.averages = options.teacher = test.rules.teacher_share > 0;
      const auto roomy = make_engine(truth.plan(), options);
      std::unique_ptr<Engine> engine;
      for (options.memory = std::uint64_t{1} << 24; engine == nullptr;
           options.memory += options.memory / 16) {
        ASSERT_LT(options.memory, entities * count * sizeof(std::uint16_t)) << name;
        try {
          engine = make_engine(truth.plan(), options);
          truth.take(*engine);
        } catch (const Error& error) {
          ASSERT_EQ(error.kind(), Error::Kind::model) << error.what();
          engine.reset();
        }
      }
      EXPECT_NE(engine->description().find("rows of scores at a time"), std::string::npos)
          << engine->description();
      truth.expect_taken(*engine, tolerance, std::string(name));
      std::vector<RankCounts> found(quiz.questions.size()), wanted(quiz.questions.size());
      for (Engine* e : {engine.get(), roomy.get()}) write_whole_numbers(*e);
      engine->rank(quiz.questions, found);
      roomy->rank(quiz.questions, wanted);
      EXPECT_TRUE(found == wanted) << name;
    }
  }
}

}  // namespace
}  // namespace orrery
