// What an engine can be asked for, and what it refuses to start with. Needs no GPU.
#include <gtest/gtest.h>

#include "base/caught.h"
#include "engine/battery.h"
#include "engine/cpu/gemm.h"
#include "engine/refusal.h"

namespace orrery {
namespace {

TEST(EngineOptions, MemoryThatDoesNotSufficeIsRefusedWithBothNumbers) {
  const ModelPlan plan{&all_variants()[0], {1000, 10, 10, 400}, {}};
  const Error error =
      caught([&] { make_engine(plan, {.threads = 1, .memory = std::uint64_t{1} << 20}); });
  EXPECT_EQ(error.kind(), Error::Kind::model);
  EXPECT_EQ(error.option(), "dim");
  EXPECT_NE(error.message().find("this model needs"), std::string::npos) << error.what();
  EXPECT_NE(error.message().find("the budget is 1.0 MiB"), std::string::npos) << error.what();
  EXPECT_EQ(error.advice(), "take a smaller --dim or a larger --memory");
  EXPECT_NO_THROW(make_engine(plan, {.threads = 1, .memory = std::uint64_t{1} << 30}));
}

TEST(EngineOptions, ATeacherIsPartOfWhatTrainingNeeds) {
  const ModelPlan plan{&all_variants()[0], {1000, 10, 10, 400}, {}};
  EngineOptions options{.threads = 1};
  const auto ready = [&] {
    auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, 10, 1));
    return engine;
  };
  options.memory = ready()->memory_bytes();
  EXPECT_NO_THROW(ready());
  options.teacher = true;
  EXPECT_NE(refusal(ready).find("training this model needs"), std::string::npos);
}

TEST(EngineOptions, MemoryDoesNotChangeTheResult) {
  const ModelPlan plan{&all_variants()[0], {50, 4, 4, 40}, {}};
  ReferenceTables first;
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{64} << 20}) {
    const auto engine = make_engine(plan, {.threads = 1, .memory = memory});
    start_randomly(*engine, 1, 0.1);
    engine->set_examples(random_examples(plan.shape, 700, 2));
    engine->step(1, 0, 700, {});
    if (first.empty()) first = read_tables(*engine, State::value);
    EXPECT_EQ(read_tables(*engine, State::value), first);
  }
}

// On a CPU tf32 is another name of fp32, and the automatic precision is one of the two.
TEST(EngineOptions, CpusKnowTwoPrecisions) {
  ReferenceTables values[4];
  const ModelPlan plan{&all_variants()[0], {50, 4, 4, 40}, {}};
  for (const Precision precision :
       {Precision::fp32, Precision::automatic, Precision::tf32, Precision::bf16}) {
    const auto engine = make_engine(plan, {.threads = 1, .precision = precision});
    start_randomly(*engine, 1, 0.3);
    engine->set_examples(random_examples(plan.shape, 70, 2));
    engine->step(1, 0, 70, {});
    values[static_cast<int>(precision)] = read_tables(*engine, State::value);
    const bool rounds = precision == Precision::bf16 ||
                        (precision == Precision::automatic && cpu::is_fast_at_bf16());
    EXPECT_NE(engine->description().find(rounds ? "bf16" : "fp32"), std::string::npos);
  }
  const auto& of = [&](Precision p) -> const auto& { return values[static_cast<int>(p)]; };
  EXPECT_EQ(of(Precision::automatic),
            of(cpu::is_fast_at_bf16() ? Precision::bf16 : Precision::fp32));
  EXPECT_EQ(of(Precision::tf32), of(Precision::fp32));
  EXPECT_NE(of(Precision::bf16), of(Precision::fp32));
}

TEST(EngineOptions, WhereBf16IsFastItIsMultipliedAsItIs) {
  EXPECT_TRUE(cpu::multiplies_bf16() || !cpu::is_fast_at_bf16());
}

// They have no matrix product to round the operands of.
TEST(EngineOptions, DistancesAreFp32InEveryPrecision) {
  const ModelPlan plan = plan_of(find_variant("ttranse", {}), 5);
  for (const Precision precision : {Precision::automatic, Precision::bf16}) {
    const auto engine = make_engine(plan, {.threads = 1, .precision = precision});
    EXPECT_TRUE(engine->description().ends_with(", fp32")) << engine->description();
  }
}

// Rows once were padded to sixteen lanes: eight reals took the memory of 128.
TEST(EngineOptions, NarrowRowsTakeLittleMemory) {
  const auto memory = [](std::int32_t dim) {
    const ModelPlan plan{&find_variant("bsca", {}), {20'000, 10, 10, dim}, {}};
    const auto engine = make_engine(plan, {.threads = 1});
    const auto scores = make_engine({plan.variant, {20'000, 1, 1, 8}, {}}, {.threads = 1});
    return static_cast<double>(engine->memory_bytes() - scores->memory_bytes());
  };
  EXPECT_LT(memory(64), 0.55 * memory(128));
  EXPECT_LT(memory(136), 1.2 * memory(128));
}

TEST(EngineOptions, AnUnknownInstructionSetIsRefusedByName) {
  const std::string message =
      refusal([] { make_engine(tiny_plan, {.threads = 1, .instruction_set = "mmx"}); });
  EXPECT_NE(message.find("'mmx'"), std::string::npos) << message;
}

TEST(EngineOptions, AnUnknownDeviceIsRefusedByName) {
  for (const std::string device : {"bananas", "", "CPU", "gpu", "cuda:", "cuda:-1", "cuda:1x",
                                   "cuda: 1", "cuda:99999999999", "cuda1"}) {
    for (const Error& error : {caught([&] { is_gpu(device); }),
                               caught([&] { make_engine(tiny_plan, {.device = device}); })}) {
      EXPECT_EQ(error.kind(), Error::Kind::request);
      EXPECT_EQ(error.option(), "device");
      EXPECT_EQ(error.message(), "--device '" + device + "' is unknown");
      EXPECT_EQ(error.advice(), "there are auto, cpu, cuda and cuda:N");
    }
  }
}

TEST(EngineOptions, DevicesAreNamedByKindAndNumber) {
  EXPECT_FALSE(is_gpu("cpu"));
  EXPECT_TRUE(is_gpu("cuda"));
  EXPECT_TRUE(is_gpu("cuda:3"));
}

TEST(EngineOptions, AutoIsAGpuOrElseTheCpu) {
  const auto engine = make_engine(tiny_plan, {.device = "auto", .threads = 1});
  EXPECT_EQ(engine->description().starts_with("cpu"), !is_gpu("auto")) << engine->description();
}

TEST(EngineOptions, AGpuThatIsNotThereIsRefusedWithAdvice) {
  if (is_gpu("auto")) GTEST_SKIP() << "there is a GPU here";
  for (const std::string device : {"cuda", "cuda:0", "cuda:7"}) {
    const Error error = caught([&] { make_engine(tiny_plan, {.device = device}); });
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_EQ(error.option(), "device");
    EXPECT_NE(error.message().find(device), std::string::npos) << error.what();
    EXPECT_NE(error.advice().find("--device cpu"), std::string::npos) << error.what();
  }
}

TEST(EngineOptions, AreDescribed) {
  for (const auto& set : instruction_sets()) {
    const auto engine = make_engine(tiny_plan, options_of(set, Precision::bf16, 3));
    const std::string text = engine->description();
    EXPECT_NE(text.find("3 threads, " + set), std::string::npos) << text;
    EXPECT_NE(text.find("bf16"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace orrery
