// Several processes that share the entities on GPUs, against one GPU that has them all. Threads
// stand for processes, and share one card.
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "engine/shared_world.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

class GpuShared : public OnGpu {
 protected:
  static EngineOptions on_gpu(const char* optimizer = "") {
    EngineOptions options = options_of("gpu");
    options.optimizer = optimizer;
    return options;
  }
  static void expect_shared_equals_whole(const ModelPlan& plan, const LossRules& loss,
                                         const std::vector<int>& groups,
                                         const char* optimizer = "") {
    const Outcome wanted = trained(plan, on_gpu(optimizer), loss);
    for (const int processes : groups) {
      SCOPED_TRACE(name_of(*plan.variant) + " by " + std::to_string(processes) + " processes");
      for (const Outcome& found : trained_by(processes, plan, loss, on_gpu(optimizer)))
        expect_same_outcome(found, wanted);
    }
  }
  static ModelPlan plan_for(std::string_view model) {
    return plan_of(find_variant(model, {}), shared_lanes, shared_world);
  }
  // A process that cannot go on ends the others: none of them waits for it.
  static void expect_failure_ends_all(EngineOptions options) {
    EXPECT_THROW(run_as_threads(3,
                                [&](Communicator& others) {
                                  EngineOptions own = options;
                                  own.processes = &others;
                                  const auto engine = make_engine(plan_for("bsca"), own);
                                  start_randomly(*engine, 3, 0.5);
                                  engine->set_examples(random_examples(shared_world, 40, 4));
                                  if (others.rank() == 1) fail_broken("a card that fell off");
                                  engine->step(7, 0, 17, shared_rules({}));
                                }),
                 Error);
  }
  // A product, a core tensor, candidates of their own, those of each time, and distances.
  static constexpr const char* kinds[] = {"bsca", "tuckertnt", "tlt-kge", "de-simple", "boxte"};
};

TEST_F(GpuShared, EveryVariantTrainsAndAnswersLikeAWholeTable) {
  for (const ModelVariant& variant : all_variants())
    expect_shared_equals_whole(plan_of(variant, shared_lanes, shared_world), {}, {2, 3});
}

// One process, as many as give uneven blocks, and one row each.
TEST_F(GpuShared, AnyNumberOfProcesses) {
  expect_shared_equals_whole(plan_for("bsca"), {}, {1, 4, 5, 23});
}

TEST_F(GpuShared, WithDrawnCandidates) {
  for (const char* model : kinds) {
    LossRules loss;
    loss.negatives = 3;
    expect_shared_equals_whole(plan_for(model), loss, {2, 5});
  }
}

TEST_F(GpuShared, WithATeacherAndDropout) {
  for (const char* model : kinds) {
    LossRules loss;
    loss.teacher_share = 0.3F;
    loss.dropout = 0.2F;
    expect_shared_equals_whole(plan_for(model), loss, {3}, "adam");
  }
}

TEST_F(GpuShared, WithAuxiliaryLosses) {
  for (const ModelVariant& variant : all_variants()) {
    LossRules loss;
    for (std::size_t q = 0; q < auxiliary_losses; ++q)
      loss.auxiliary[q] = variant.auxiliary_targets[q] >= 0 ? 0.5 : 0;
    if (loss.has_auxiliary_losses())
      expect_shared_equals_whole(plan_of(variant, shared_lanes, shared_world), loss, {2});
  }
}

// With a pair's history, drawn candidates, a teacher, and in every precision.
TEST_F(GpuShared, AgreeWithTheSlowTruth) {
  for (const char* model : kinds)
    for (const std::int32_t negatives : {0, 7}) {
      StepCase test{.lanes = 19, .shape = {60, 6, 5, 0}, .scale = 0.35};
      test.features = 3;
      test.rules.negatives = negatives;
      test.rules.teacher_share = negatives == 0 ? 0.4F : 0;
      const SlowStep truth(find_variant(model, {}), test);
      for (const auto& [precision, tolerance, name] : roundings)
        run_as_threads(3, [&](Communicator& others) {
          EngineOptions options = options_of("gpu", precision);
          options.processes = &others;
          truth.expect_of(options, tolerance, std::string(model) + ", " + std::string(name));
        });
    }
}

// Where threads that share a card can be connected by NCCL, from version 2.30 on.
class GpuSharedByNccl : public GpuShared {
 protected:
  void SetUp() override {
    GpuShared::SetUp();
    if (IsSkipped()) return;
    setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 1);
    try {
      run_as_threads(2, [&](Communicator& others) { make_engine(tiny_plan, by_nccl(&others)); });
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void TearDown() override { unsetenv("NCCL_MULTI_RANK_GPU_ENABLE"); }
  static EngineOptions by_nccl(Communicator* others = nullptr) {
    EngineOptions options = on_gpu();
    options.direct = true;
    options.processes = others;
    return options;
  }
};

TEST_F(GpuSharedByNccl, HaveTheBytesOfThoseByWayOfTheHost) {
  for (const char* model : kinds)
    for (const std::int32_t negatives : {0, 3}) {
      LossRules loss;
      loss.negatives = negatives;
      loss.teacher_share = negatives == 0 ? 0.3F : 0;
      const auto wanted = trained_by(3, plan_for(model), loss, on_gpu());
      const auto found = trained_by(3, plan_for(model), loss, by_nccl());
      for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
        EXPECT_EQ(found[rank].losses, wanted[rank].losses) << model;
        EXPECT_EQ(found[rank].values, wanted[rank].values) << model;
        EXPECT_EQ(found[rank].states, wanted[rank].states) << model;
        EXPECT_EQ(found[rank].scores, wanted[rank].scores) << model;
      }
    }
}

TEST_F(GpuSharedByNccl, AFailureInOneEndsAll) { expect_failure_ends_all(by_nccl()); }

TEST_F(GpuShared, SameBytesForTheSameNumberOfProcesses) {
  for (const char* model : {"bsca", "de-simple"}) {
    const auto first = trained_by(3, plan_for(model), {}, on_gpu());
    const auto second = trained_by(3, plan_for(model), {}, on_gpu());
    for (std::size_t rank = 0; rank < first.size(); ++rank) {
      EXPECT_EQ(first[rank].values, second[rank].values) << model;
      EXPECT_EQ(first[rank].values, first[0].values) << model;
      EXPECT_EQ(first[rank].losses, second[rank].losses) << model;
      EXPECT_EQ(first[rank].losses, first[0].losses) << model;
    }
  }
}

// As docs/processes.md has it.
TEST_F(GpuShared, SendWhatTheFormulaSays) {
  constexpr std::int64_t batch = 17;
  const ModelPlan plan = plan_for("bsca");
  const auto examples = random_examples(plan.shape, 40, 4);
  std::set<std::int32_t> read;
  for (const Example& example : shuffled(examples, 7, 0, batch))
    read.insert({example.query.subject, example.object});
  for (const int processes : {2, 3})
    run_as_threads(processes, [&](Communicator& others) {
      EngineOptions options = on_gpu();
      options.processes = &others;
      options.batch = batch;
      const auto engine = make_engine(plan, options);
      start_randomly(*engine, 3, 0.5);
      engine->set_examples(examples);
      const std::uint64_t before = others.bytes_sent();
      engine->step(7, 0, batch, shared_rules({}));
      std::vector<double> sent = {static_cast<double>(others.bytes_sent() - before)};
      others.sum(std::span<double>(sent));
      constexpr double floats = 8 * 32;  // of a row: a block of 32 lanes, of which few are used
      const double rows = static_cast<double>(read.size()) + 2 * batch;
      EXPECT_EQ(sent[0], (processes - 1) * (4 * floats * rows + 8 * processes * batch + 8 * batch));
    });
}

// So little memory that a step takes its scores in several parts.
TEST_F(GpuShared, AStepInPartsIsTheSameStep) {
  const ModelPlan plan = plan_of(find_variant("tntcomplex", {}), 8, {3001, 6, 5, 0});
  const auto examples = random_examples(plan.shape, 1500, 4);
  const auto step_of = [&](std::uint64_t memory, Communicator* others) {
    EngineOptions options = on_gpu();
    options.memory = memory;
    options.batch = 1500;
    options.processes = others;
    const auto engine = make_engine(plan, options);
    start_randomly(*engine, 3, 0.5);
    engine->set_examples(examples);
    engine->step(7, 0, 1500, shared_rules({}));
    EXPECT_EQ(engine->description().find("rows of scores at a time") != std::string::npos,
              memory != 0)
        << engine->description();
    return std::pair(engine->losses().total(), rows_of(*engine, State::value));
  };
  const auto wanted = step_of(0, nullptr);
  constexpr std::uint64_t little = std::uint64_t{44} << 20;  // 32 MiB of it for products
  for (const std::uint64_t memory : {std::uint64_t{0}, little})
    run_as_threads(2, [&](Communicator& others) {
      const auto found = step_of(memory, &others);
      EXPECT_NEAR(found.first, wanted.first, 1e-6 * wanted.first);
      for (std::size_t t = 0; t < wanted.second.size(); ++t)
        expect_rows_near(found.second[t], wanted.second[t], 1e-4, "values");
    });
}

TEST_F(GpuShared, RefuseMoreProcessesThanEntities) {
  EXPECT_THROW(trained_by(6, tiny_plan, {}, on_gpu()), Error);
}

TEST_F(GpuShared, AFailureInOneEndsAll) { expect_failure_ends_all(on_gpu()); }

TEST_F(GpuShared, TheLeaderAloneReadsAndWritesAndMayFail) {
  expect_led(plan_for("bsca"), on_gpu());
}

}  // namespace
}  // namespace orrery
