// What an engine keeps: values, squares, averages, sums of losses.
#include <gtest/gtest.h>

#include "engine/battery.h"

namespace orrery {
namespace {

class States : public ByVariantAndTarget {
 protected:
  ModelPlan small = plan(19);
  std::unique_ptr<Engine> engine = make_engine(small, options_of(target));

  std::vector<float> numbered(std::size_t table, float start) const {
    std::vector<float> rows(static_cast<std::size_t>(engine->tables()[table].count) *
                            static_cast<std::size_t>(small.shape.dim));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = start + static_cast<float>(i);
    return rows;
  }
  std::vector<float> read(std::size_t table, State state) const {
    std::vector<float> rows(numbered(table, 0).size());
    engine->read(table, state, rows);
    return rows;
  }
};

TEST_P(States, ComeBackAsTheyWereWritten) {
  for (std::size_t t = 0; t < engine->tables().size(); ++t) {
    EXPECT_EQ(read(t, State::value), std::vector<float>(numbered(t, 0).size(), 0.0F));
    EXPECT_EQ(read(t, State::optimizer), std::vector<float>(numbered(t, 0).size(), 0.0F));
  }
  EXPECT_FALSE(engine->has_average());
  float start = 1;
  for (const State state : {State::value, State::optimizer, State::average})
    for (std::size_t t = 0; t < engine->tables().size(); ++t)
      engine->write(t, state, numbered(t, start += 0.5F));
  EXPECT_TRUE(engine->has_average());
  start = 1;
  for (const State state : {State::value, State::optimizer, State::average})
    for (std::size_t t = 0; t < engine->tables().size(); ++t)
      EXPECT_EQ(read(t, state), numbered(t, start += 0.5F)) << engine->tables()[t].name;
}

TEST_P(States, AverageStartsAsTheValuesAndFollowsThem) {
  for (std::size_t t = 0; t < engine->tables().size(); ++t)
    engine->write(t, State::value, numbered(t, 8));
  engine->update_average(0.75);
  ASSERT_TRUE(engine->has_average());
  for (std::size_t t = 0; t < engine->tables().size(); ++t) {
    EXPECT_EQ(read(t, State::average), numbered(t, 8));
    engine->write(t, State::value, numbered(t, 16));
  }
  engine->update_average(0.75);
  for (std::size_t t = 0; t < engine->tables().size(); ++t)
    EXPECT_EQ(read(t, State::average), numbered(t, 0.75F * 8 + 0.25F * 16));
  engine->swap_average();
  for (std::size_t t = 0; t < engine->tables().size(); ++t) {
    EXPECT_EQ(read(t, State::value), numbered(t, 10));
    EXPECT_EQ(read(t, State::average), numbered(t, 16));
  }
  engine->swap_average();
  for (std::size_t t = 0; t < engine->tables().size(); ++t)
    EXPECT_EQ(read(t, State::value), numbered(t, 16));
}

TEST_P(States, SwappingWithoutAveragesChangesNothing) {
  engine->write(0, State::value, numbered(0, 3));
  engine->swap_average();
  EXPECT_FALSE(engine->has_average());
  EXPECT_EQ(read(0, State::value), numbered(0, 3));
}

// Also where a rounded copy of the rows is what is trained with.
TEST_P(States, SwappedAveragesAreWhatIsTrainedAndAsked) {
  const auto examples = random_examples(small.shape, 40, 4);
  const auto tables = random_tables(small, 3, 0.4);
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
    const auto swapped = make_engine(small, options_of(target, precision));
    const auto written = make_engine(small, options_of(target, precision));
    for (Engine* e : {swapped.get(), written.get()}) e->set_examples(examples);
    write_tables(*swapped, tables);
    write_tables(*written, tables);
    swapped->update_average(0.5);
    start_randomly(*swapped, 9, 0.4);
    swapped->swap_average();
    std::vector<float> scores[2];
    for (const int i : {0, 1}) {
      scores[i].resize(static_cast<std::size_t>(small.shape.entities));
      Engine& e = i == 0 ? *swapped : *written;
      e.score(std::vector<QueryPair>{{examples[0].query, {}, false}}, scores[i]);
      e.step(1, 0, 40, {});
    }
    EXPECT_EQ(scores[0], scores[1]);
    EXPECT_EQ(read_tables(*swapped, State::value), read_tables(*written, State::value));
    EXPECT_EQ(swapped->losses().total(), written->losses().total());
  }
}

// Splitting one run in two engines by way of read and write is the same run: what resume needs.
TEST_P(States, CarriedToAnotherEngineContinueTheSameRun) {
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
    const auto whole = make_engine(small, options_of(target, precision, 1));
    const auto other = make_engine(small, options_of(target, precision, 2));
    const auto examples = random_examples(small.shape, 60, 4);
    whole->set_examples(examples);
    other->set_examples(examples);
    start_randomly(*whole, 2, 0.2);
    StepRules rules;
    rules.loss.lambda_n3 = rules.loss.lambda_time = 0.1;
    whole->step(1, 0, 30, rules);
    for (const State state : {State::value, State::optimizer}) copy_tables(*whole, *other, state);
    other->set_losses(whole->losses());
    whole->step(1, 30, 30, rules);
    other->step(1, 30, 30, rules);
    EXPECT_EQ(read_tables(*whole, State::value), read_tables(*other, State::value));
    EXPECT_EQ(read_tables(*whole, State::optimizer), read_tables(*other, State::optimizer));
    EXPECT_EQ(whole->losses().total(), other->losses().total());
    EXPECT_EQ(other->losses().steps, 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, States, every_variant_and_target(), name_of_both);

}  // namespace
}  // namespace orrery
