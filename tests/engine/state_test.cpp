// What an engine keeps: values, squares, averages; and what it refuses to start with.
#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/battery.h"

namespace orrery {
namespace {

class States : public ByVariant {
 protected:
  ModelPlan small = plan(19);
  std::unique_ptr<Engine> engine = make_engine(small, {.threads = 2});

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
    EXPECT_EQ(read(t, State::adagrad), std::vector<float>(numbered(t, 0).size(), 0.0F));
  }
  EXPECT_FALSE(engine->has_average());
  float start = 1;
  for (const State state : {State::value, State::adagrad, State::average})
    for (std::size_t t = 0; t < engine->tables().size(); ++t)
      engine->write(t, state, numbered(t, start += 0.5F));
  EXPECT_TRUE(engine->has_average());
  start = 1;
  for (const State state : {State::value, State::adagrad, State::average})
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

// Splitting one run in two engines by way of read and write is the same run: what resume needs.
TEST_P(States, CarriedToAnotherEngineContinueTheSameRun) {
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    const auto whole = make_engine(small, {.threads = 1, .precision = precision});
    const auto other = make_engine(small, {.threads = 2, .precision = precision});
    const auto examples = random_examples(small.shape, 60, 4);
    whole->set_examples(examples);
    other->set_examples(examples);
    start_randomly(*whole, 2, 0.2);
    StepRules rules;
    rules.loss.lambda_n3 = rules.loss.lambda_time = 0.1;
    whole->step(1, 0, 30, rules);
    for (std::size_t t = 0; t < whole->tables().size(); ++t)
      for (const State state : {State::value, State::adagrad}) {
        std::vector<float> rows(numbered(t, 0).size());
        whole->read(t, state, rows);
        other->write(t, state, rows);
      }
    whole->step(1, 30, 30, rules);
    other->step(1, 30, 30, rules);
    EXPECT_EQ(read_tables(*whole, State::value), read_tables(*other, State::value));
    EXPECT_EQ(read_tables(*whole, State::adagrad), read_tables(*other, State::adagrad));
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, States, every_variant(), name_of_variant);

TEST(EngineOptions, MemoryThatDoesNotSufficeIsRefusedWithBothNumbers) {
  const ModelPlan plan{&all_variants()[0], {1000, 10, 10, 400}, {}};
  try {
    make_engine(plan, {.threads = 1, .memory = std::uint64_t{1} << 20});
    FAIL() << "a megabyte was enough";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_NE(message.find("this model needs"), std::string::npos) << message;
    EXPECT_NE(message.find("the budget is 1.0 MiB"), std::string::npos) << message;
    EXPECT_NE(message.find("--dim"), std::string::npos) << message;
  }
  EXPECT_NO_THROW(make_engine(plan, {.threads = 1, .memory = std::uint64_t{1} << 30}));
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

TEST(EngineOptions, AnUnknownInstructionSetIsRefusedByName) {
  try {
    make_engine({&all_variants()[0], {5, 2, 2, 40}, {}}, {.threads = 1, .instruction_set = "mmx"});
    FAIL() << "mmx was found";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_NE(std::string(error.what()).find("'mmx'"), std::string::npos) << error.what();
  }
}

TEST(EngineOptions, AreDescribed) {
  for (const auto& set : instruction_sets()) {
    const auto engine =
        make_engine({&all_variants()[0], {5, 2, 2, 40}, {}},
                    {.threads = 3, .precision = Precision::bf16, .instruction_set = set});
    const std::string text = engine->description();
    EXPECT_NE(text.find("3 threads, " + set), std::string::npos) << text;
    EXPECT_NE(text.find("bf16"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace orrery
