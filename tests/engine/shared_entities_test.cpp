// Several processes that share the entities, against one that has them all.
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "engine/shared_world.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

const EngineOptions one_thread{.threads = 1, .precision = Precision::fp32};

void expect_shared_equals_whole(const ModelPlan& plan, const LossRules& loss,
                                const char* optimizer = "") {
  const EngineOptions options{.threads = 1, .precision = Precision::fp32, .optimizer = optimizer};
  const Outcome wanted = trained(plan, options, loss);
  for (const int processes : {1, 2, 3, 4}) {
    SCOPED_TRACE(std::to_string(processes) + " processes");
    for (const Outcome& found : trained_by(processes, plan, loss, options))
      expect_same_outcome(found, wanted);
  }
}

class SharedEntities : public ByVariant {};

TEST_P(SharedEntities, TrainAndAnswerLikeAWholeTable) {
  expect_shared_equals_whole(plan(shared_lanes, shared_world), {});
}

TEST_P(SharedEntities, WithDrawnCandidates) {
  LossRules loss;
  loss.negatives = 3;
  expect_shared_equals_whole(plan(shared_lanes, shared_world), loss);
}

TEST_P(SharedEntities, WithATeacherAndDropout) {
  LossRules loss;
  loss.teacher_share = 0.3F;
  loss.dropout = 0.2F;
  expect_shared_equals_whole(plan(shared_lanes, shared_world), loss);
}

TEST_P(SharedEntities, WithAuxiliaryLosses) {
  LossRules loss;
  for (std::size_t q = 0; q < auxiliary_losses; ++q)
    loss.auxiliary[q] = variant.auxiliary_targets[q] >= 0 ? 0.5 : 0;
  if (!loss.has_auxiliary_losses()) GTEST_SKIP() << "the model has no auxiliary loss";
  expect_shared_equals_whole(plan(shared_lanes, shared_world), loss);
}

// With a pair's history, drawn candidates, a teacher, and in every precision.
TEST_P(SharedEntities, AgreeWithTheSlowTruth) {
  for (const std::int32_t negatives : {0, 7}) {
    StepCase test{.lanes = 19, .shape = {60, 6, 5, 0}, .scale = 0.35};
    test.features = 3;
    test.rules.negatives = negatives;
    test.rules.teacher_share = negatives == 0 ? 0.4F : 0;
    const SlowStep truth(variant, test);
    for (const int processes : {2, 3})
      for (const auto& [precision, tolerance, name] : roundings)
        run_as_threads(processes, [&](Communicator& others) {
          EngineOptions options{.threads = 1, .precision = precision};
          options.processes = &others;
          truth.expect_of(options, tolerance, std::string(name));
        });
  }
}

TEST_P(SharedEntities, SameBytesForTheSameNumberOfProcesses) {
  const auto first = trained_by(3, plan(shared_lanes, shared_world), {}, one_thread);
  const auto second = trained_by(3, plan(shared_lanes, shared_world), {}, one_thread);
  for (std::size_t rank = 0; rank < first.size(); ++rank) {
    EXPECT_EQ(first[rank].values, second[rank].values);
    EXPECT_EQ(first[rank].values, first[0].values);
    EXPECT_EQ(first[rank].losses, second[rank].losses);
    EXPECT_EQ(first[rank].losses, first[0].losses);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, SharedEntities,
                         testing::Range(std::size_t{0}, all_variants().size()),
                         [](const auto& test) { return name_of(all_variants()[test.param]); });

// A product, a core tensor, candidates of their own, and those of each time.
TEST(SharedEntitiesOfAdam, TrainAndAnswerLikeAWholeTable) {
  for (const char* model : {"bsca", "tuckertnt", "tlt-kge", "de-simple"})
    for (const std::int32_t negatives : {0, 3}) {
      SCOPED_TRACE(model);
      LossRules loss;
      loss.negatives = negatives;
      loss.teacher_share = negatives == 0 ? 0.3F : 0;
      expect_shared_equals_whole(plan_of(find_variant(model, {}), shared_lanes, shared_world), loss,
                                 "adam");
    }
}

TEST(SharedEntitiesRefuse, MoreProcessesThanEntities) {
  EXPECT_THROW(trained_by(6, tiny_plan, {}, one_thread), Error);
}

TEST(SharedEntitiesRefuse, ACpuBesideAGpu) {
  try {
    run_as_threads(2, [](Communicator& others) {
      EngineOptions options{.device = others.leads() ? "cuda" : "cpu", .threads = 1};
      options.processes = &others;
      make_engine(tiny_plan, options);
    });
    ADD_FAILURE() << "an engine was made";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("rank 1 of 2 has another device (the CPU; the leader a GPU)"),
              std::string::npos)
        << error.what();
  }
}

TEST(SharedEntitiesLed, TheLeaderAloneReadsAndWritesAndMayFail) {
  expect_led(tiny_plan, {.threads = 1});
}

// Of a few entities of the last process: the others have found nothing wrong.
TEST(SharedEntitiesAsked, AScoreThatIsNoNumberIsAnErrorOfAll) {
  run_as_threads(3, [](Communicator& others) {
    EngineOptions options{.threads = 1};
    options.processes = &others;
    const auto engine = make_engine(tiny_plan, options);
    start_randomly(*engine, 3, 0.5);
    auto rows = rows_of(*engine, State::value);
    rows[0].back() = std::numeric_limits<float>::quiet_NaN();
    engine->write(0, State::value, rows[0]);
    const QueryPair query{{0, 0, 0}, {0, 0, 0}, false};
    TopAnswers answers;
    EXPECT_THROW(engine->top({&query, 1}, 2, {&answers, 1}), Error);
  });
}

}  // namespace
}  // namespace orrery
