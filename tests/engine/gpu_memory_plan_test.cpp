// An engine on a GPU allocates what its plan says: no more, and not much less. Built with the CUDA
// backend only.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thread_group.h"
#include "engine/battery.h"
#include "engine/cuda/memory_plan.h"
#include "engine/cuda/profile.h"
#include "engine/quiz.h"

namespace orrery {
namespace {

struct PlanCase {
  std::string_view model;
  std::int32_t lanes;
  ModelShape shape;
  std::size_t examples;
  std::int64_t batch;
};
// In each another part is the largest: scores, entities, times, relations, contributions, examples.
const PlanCase plan_cases[] = {
    {"tntcomplex", 5, {20000, 6, 4, 0}, 300, 300}, {"bsca", 100, {30000, 6, 4, 0}, 50, 50},
    {"bsca", 520, {11, 6, 3000, 0}, 50, 50},       {"tntcomplex", 100, {11, 100000, 4, 0}, 50, 50},
    {"bsca", 64, {11, 6, 4, 0}, 6000, 6000},       {"tntcomplex", 1, {11, 6, 4, 0}, 4'000'000, 100},
    {"hyte", 100, {30000, 6, 4, 0}, 50, 50},       {"de-simple", 100, {30000, 6, 4, 0}, 50, 50},
    {"boxte", 50, {20000, 6, 4, 0}, 300, 300},     {"telm", 100, {11, 6, 5000, 0}, 50, 50},
    {"tlt-kge", 100, {11, 6, 5000, 0}, 50, 50},    {"tuckertnt", 150, {11, 6, 4, 0}, 50, 50},
    {"atise", 100, {20000, 6, 4, 0}, 300, 300},    {"tcomplex", 100, {11, 100000, 4, 0}, 50, 50},
};

// Of a million entities at dim 512, in gigabytes: embeddings, optimizer state and gradients take
// 2.05 each, rounded copies 1.02, and 1,000 rows of scores 4.
cuda::MemoryPlan plan_within(double device, double host) {
  static const ModelPlan plan = plan_of(find_variant("tcomplex", {}), 256, {1'000'000, 6, 4, 0});
  cuda::MemoryWish wish{.precision = Precision::bf16, .batch = 4000, .examples = 4000};
  wish.available = static_cast<std::uint64_t>(device * 1e9);
  wish.host_available = static_cast<std::uint64_t>(host * 1e9);
  return cuda::plan_memory(plan, tables_of(plan), wish);
}

void expect_plan(const cuda::MemoryPlan& found, cuda::OnHost on_host, std::int64_t score_rows) {
  EXPECT_EQ(found.on_host, on_host);
  EXPECT_EQ(found.score_rows, score_rows);
}

class GpuMemoryPlan : public OnGpu {
 protected:
  static void expect_within(const Engine& engine, const std::string& what) {
    EXPECT_LE(cuda::device_bytes(engine), engine.memory_bytes()) << what;
  }
  static void expect_close(const Engine& engine, const std::string& what) {
    expect_within(engine, what);
    EXPECT_GE(static_cast<double>(cuda::device_bytes(engine)),
              0.9 * static_cast<double>(engine.memory_bytes()))
        << what;
  }
  static void rank_some(Engine& engine) {
    const Quiz quiz = random_quiz(engine.plan().shape, 10);
    std::vector<RankCounts> counts(quiz.questions.size());
    engine.rank(quiz.questions, counts);
  }
  static void for_each_case(const auto& body) {
    for (const PlanCase& test : plan_cases)
      for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
        EngineOptions options = options_of("gpu", precision);
        options.batch = test.batch;
        const ModelVariant& variant = find_variant(test.model, {});
        body(test, plan_of(variant, test.lanes, test.shape), options,
             "case " + std::to_string(&test - plan_cases) + ", precision " +
                 std::to_string(static_cast<int>(precision)));
      }
  }
  static void expect_close_with_a_teacher(const PlanCase& test, const ModelPlan& plan,
                                          const EngineOptions& options, const std::string& what) {
    const auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, test.examples, 1));
    engine->update_average(0.5);
    StepRules rules;
    rules.loss.teacher_share = 0.5F;
    for (const std::int32_t negatives : {0, 5000}) {
      rules.loss.negatives = negatives;
      engine->step(1, 0, test.batch, rules);
      expect_close(*engine, what + ", after a step with " + std::to_string(negatives));
    }
    rank_some(*engine);
    expect_close(*engine, what + ", after ranks");
  }
};

TEST_F(GpuMemoryPlan, TakesWhatMakesAStepLeastSlower) {
  expect_plan(plan_within(40, 100), cuda::OnHost::nothing, 4000);
  expect_plan(plan_within(20, 100), cuda::OnHost::nothing, 2048);
  // With embeddings here, gradients would cross the bus once for each of 16 parts of the batch.
  expect_plan(plan_within(4.5, 100), cuda::OnHost::rounded, 1024);
  // What the host has no room for either is trained in small parts.
  expect_plan(plan_within(4.5, 4.5), cuda::OnHost::gradients, 256);
  expect_plan(plan_within(3.7, 4.5), cuda::OnHost::gradients, 64);
}

TEST_F(GpuMemoryPlan, RefusesWhatNeitherHolds) {
  EXPECT_THROW(plan_within(3.7, 1), Error);
  EXPECT_THROW(plan_within(0.3, 100), Error);
}

TEST_F(GpuMemoryPlan, HoldsWhileTraining) {
  for_each_case([](const PlanCase& test, const ModelPlan& plan, const EngineOptions& options,
                   const std::string& what) {
    const auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, test.examples, 1));
    expect_close(*engine, what + ", before a step");
    engine->step(1, 0, test.batch, {});
    expect_close(*engine, what + ", after a step");
    rank_some(*engine);
    expect_close(*engine, what + ", after ranks");
  });
}

TEST_F(GpuMemoryPlan, HoldsWithDrawnCandidates) {
  for_each_case([](const PlanCase& test, const ModelPlan& plan, const EngineOptions& options,
                   const std::string& what) {
    const auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, test.examples, 1));
    StepRules rules;
    for (const std::int32_t negatives : {0, 5000, 10}) {
      rules.loss.negatives = negatives;
      engine->step(1, 0, test.batch, rules);
      expect_close(*engine, what + ", after a step with " + std::to_string(negatives));
    }
    rank_some(*engine);
    expect_close(*engine, what + ", after ranks");
  });
}

TEST_F(GpuMemoryPlan, HoldsWithAuxiliaryLosses) {
  for_each_case([](const PlanCase& test, const ModelPlan& plan, EngineOptions options,
                   const std::string& what) {
    if (plan.variant->auxiliary_targets == std::array{-1, -1}) return;
    options.auxiliary = true;
    const auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, test.examples, 1));
    StepRules rules;
    rules.loss.auxiliary = {0.5, 0.5};
    engine->step(1, 0, test.batch, rules);
    expect_close(*engine, what + ", after a step");
    rank_some(*engine);
    expect_close(*engine, what + ", after ranks");
  });
}

TEST_F(GpuMemoryPlan, HoldsWithAverages) {
  for_each_case([](const PlanCase& test, const ModelPlan& plan, EngineOptions options,
                   const std::string& what) {
    options.averages = true;
    const auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, test.examples, 1));
    expect_within(*engine, what + ", before a step");
    engine->step(1, 0, test.batch, {});
    engine->update_average(0.5);
    rank_some(*engine);
    expect_close(*engine, what);
  });
}

TEST_F(GpuMemoryPlan, HoldsWithATeacher) {
  for_each_case([](const PlanCase& test, const ModelPlan& plan, EngineOptions options,
                   const std::string& what) {
    options.averages = options.teacher = true;
    expect_close_with_a_teacher(test, plan, options, what);
  });
}

TEST_F(GpuMemoryPlan, HoldsWithoutTraining) {
  for_each_case([](const PlanCase&, const ModelPlan& plan, const EngineOptions& options,
                   const std::string& what) {
    const auto engine = make_engine(plan, options);
    expect_within(*engine, what + ", before ranks");
    rank_some(*engine);
    expect_close(*engine, what + ", after ranks");
  });
}

TEST_F(GpuMemoryPlan, HoldsAfterALargerStepThanAnnounced) {
  for_each_case([](const PlanCase& test, const ModelPlan& plan, EngineOptions options,
                   const std::string& what) {
    options.batch = test.batch / 10;
    const auto engine = make_engine(plan, options);
    engine->set_examples(random_examples(plan.shape, test.examples, 1));
    for (const std::int64_t count : {test.batch, test.batch / 3}) {
      engine->step(1, 0, count, {});
      expect_close(*engine, what + ", after a step of " + std::to_string(count));
    }
  });
}

// Blocks of two processes, with drawn candidates and a teacher.
TEST_F(GpuMemoryPlan, HoldsForSharedEntities) {
  for_each_case([](const PlanCase& test, const ModelPlan& plan, EngineOptions options,
                   const std::string& what) {
    if (options.precision == Precision::tf32) return;  // it takes what fp32 takes
    options.averages = options.teacher = true;
    run_as_threads(2, [&](Communicator& others) {
      EngineOptions own = options;
      own.processes = &others;
      expect_close_with_a_teacher(test, plan, own, what);
    });
  });
}

}  // namespace
}  // namespace orrery
