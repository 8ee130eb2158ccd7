// Interval facts that hold within: trained, asked, evaluated and resumed.
#include <gtest/gtest.h>

#include "api/held_answers.h"
#include "api/small_runs.h"
#include "base/caught.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;
using testing::HeldAnswers;
using testing::HeldFacts;
using testing::refused;

void expect_known(const HeldAnswers& held) {
  EXPECT_GE(held.start, 0.95);
  EXPECT_GE(held.middle, 0.95);
  EXPECT_GE(held.end, 0.95);
  EXPECT_LE(held.after_end, 0.05);
  EXPECT_LE(held.later, 0.05);
}

TEST(Within, TrainingFactsAreKnownAtEveryTimeAndForgottenAfterTheirEnd) {
  const Dataset data = Dataset::from_columns(testing::working_lives(1, 40));
  TrainOptions options;
  options.dim = 128;
  options.batch = 200;
  options.epochs = 60;
  expect_known(HeldFacts(data).asked_of(train(data, options)));
}

TEST(Within, TheMemoryExampleIsKnown) {
  const Dataset data =
      Dataset::open(ORRERY_SOURCE_DIR "/examples/memory.csv", {.split = "100/0/0"});
  TrainOptions options;
  options.dim = 64;
  options.batch = 50;
  options.epochs = 100;
  expect_known(HeldFacts(data).asked_of(train(data, options)));
}

class WithinRuns : public testing::SmallRuns {
 protected:
  void SetUp() override { write_world("data", true); }
};

TEST_F(WithinRuns, TheReadingIsRecordedAndRelationsHaveTwoEmbeddings) {
  testing::train_run(options(), at("run"));
  EXPECT_EQ(run_options(at("run")).reading.intervals, "within");
  const Model model = Model::open(at("run"), {.threads = 1});
  EXPECT_EQ(model.card().options.reading.intervals, "within");
  EXPECT_EQ(model.card().relation_ids.count(), 6);
  EXPECT_EQ(model.embeddings("relation_mul").names[3], "r0 (reciprocal)");
  EXPECT_EQ(model.training_data().options().intervals, "within");
}

TEST_F(WithinRuns, ResumedInMidEpochARunEndsInTheSameBytes) {
  for (const int steps : {3, 13, 20}) {  // 14 steps an epoch
    const std::string whole = fmt::format("whole{}", steps), cut = fmt::format("cut{}", steps);
    testing::train_run(rich_options(), at(whole));
    testing::StopAfter stop(steps);
    testing::train_run(rich_options(), at(cut), &stop);
    testing::resume_run(at(cut));
    expect_same_run(whole, cut);
  }
}

TEST_F(WithinRuns, ThreadsDoNotMatter) {
  TrainOptions more = options();
  more.threads = 3;
  testing::train_run(options(), at("one"));
  testing::train_run(more, at("three"));
  EXPECT_EQ(Model::open(at("one")).embeddings("entity").values[5],
            Model::open(at("three")).embeddings("entity").values[5]);
  EXPECT_TRUE(model_bytes("one") == model_bytes("three"));
}

TEST_F(WithinRuns, AnEvaluationSaysItsProtocol) {
  testing::train_run(options(), at("within"));
  TrainOptions by_ends = options();
  by_ends.reading.intervals = "ends";
  testing::train_run(by_ends, at("ends"));
  const Evaluation within = testing::evaluate_run(at("within"));
  const Evaluation ends = testing::evaluate_run(at("ends"));
  EXPECT_EQ(within.protocol, Protocol::within);
  EXPECT_EQ(ends.protocol, Protocol::ends);
  std::uint64_t queries = 0;
  for (const BreakdownRow& row : within.by(By::time)) queries += row.scores.queries;
  EXPECT_EQ(queries, within.ranks.size());
  const Dataset other = Dataset::open(at("data").string(), {.intervals = "ends"});
  EXPECT_TRUE(
      contains(refused([&] { evaluate(Model::open(at("within")), other); }), "read as 'within'"));
}

TEST_F(WithinRuns, OtherFactsAreAskedAtTheirOwnTimes) {
  testing::train_run(options(), at("run"));
  std::filesystem::create_directories(at("other"));
  scratch_.write("other/train.txt", "e01\tr1\te02\t1900\t1905\n");
  scratch_.write("other/test.txt", "e03\tr2\te02\t1890\t1895\ne03\tr2\te04\t1901\t1902\n");
  const Evaluation judged = testing::evaluate_run(at("run"), {.data = at("other").string()});
  EXPECT_EQ(judged.ranks.size(), 4U);
  ASSERT_EQ(judged.warnings.size(), 1U);
  EXPECT_TRUE(contains(judged.warnings[0], "1 of 2 facts are of a time before the model's first"));
  // A model of days, and years for its facts: they are their whole periods, and that is said.
  TrainOptions days = options();
  days.reading.granularity = "day";
  testing::train_run(days, at("days"));
  const auto coarse = testing::evaluate_run(at("days"), {.data = at("other").string()}).warnings;
  ASSERT_EQ(coarse.size(), 2U);
  EXPECT_TRUE(contains(coarse[0], "name only a year, and the model's times are days"));
}

TEST_F(WithinRuns, AHorizonEndsWhatHasNoEnd) {
  const DataOptions until{.intervals = "within", .horizon = "1906"};
  const Dataset open = Dataset::open(at("data").string()),
                closed = Dataset::open(at("data").string(), until);
  int reaching = 0;
  for (const Fact& fact : closed.facts(Split::train)) {
    const Moment moment = closed.moment(fact);
    EXPECT_NE(moment.end, Moment::unknown);
    reaching += open.moment(fact).end == Moment::unknown;
  }
  EXPECT_GT(reaching, 20);
  EXPECT_NE(open.fingerprint(), closed.fingerprint());
  EXPECT_TRUE(contains(refused([&] { Dataset::open(at("data").string(), {.horizon = "soon"}); }),
                       "horizon 'soon' is not a date"));
}

using PointRuns = testing::SmallRuns;

TEST_F(PointRuns, FactsOutsideTheModelsTimesAreAWarning) {
  testing::train_run(options(), at("run"));
  EXPECT_TRUE(testing::evaluate_run(at("run")).warnings.empty());
  std::filesystem::create_directories(at("later"));
  scratch_.write("later/train.txt", "e01\tr1\te02\t2014-01-01\n");
  scratch_.write("later/test.txt", "e03\tr2\te02\t2014-01-02\ne03\tr2\te04\t2020-01-01\n");
  const auto warnings = testing::evaluate_run(at("run"), {.data = at("later").string()}).warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(contains(warnings[0], "1 of 2 facts are of a time before"));
}

}  // namespace
}  // namespace orrery
