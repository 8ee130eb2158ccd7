// A few steps of several processes that share the entities, to be held against those of one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/thread_group.h"
#include "engine/battery.h"

namespace orrery {

inline constexpr ModelShape shared_world = {23, 6, 5, 0};
inline constexpr std::int32_t shared_lanes = 5;

inline StepRules shared_rules(LossRules loss) {
  loss.lambda_n3 = 0.01;
  loss.lambda_time = 0.01;
  // Not so small that the rounding of a gradient that should be zero becomes a step.
  return {.loss = loss, .learning_rate = 0.05, .epsilon = 1e-3};
}

struct Outcome {
  std::vector<double> losses;
  std::vector<std::vector<float>> values, states;
  std::vector<float> scores;
  std::vector<RankCounts> ranks;
  std::vector<TopAnswers> best;
};

inline std::vector<std::vector<float>> rows_of(const Engine& engine, State state) {
  std::vector<std::vector<float>> rows;
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    const TableSpec& table = engine.tables()[t];
    rows.emplace_back(static_cast<std::size_t>(table.count) *
                      static_cast<std::size_t>(table.width));
    engine.read(t, state, rows.back());
  }
  return rows;
}

// A few steps, then every kind of question.
inline Outcome trained(const ModelPlan& plan, EngineOptions options, const LossRules& loss) {
  options.auxiliary = loss.has_auxiliary_losses();
  options.teacher = options.averages = loss.teacher_share > 0;
  options.negatives = loss.negatives;
  options.batch = 17;
  const auto engine = make_engine(plan, options);
  start_randomly(*engine, 3, 0.5);
  engine->set_examples(random_examples(plan.shape, 40, 4));
  Outcome outcome;
  for (int step = 0; step < 4; ++step) {
    if (loss.teacher_share > 0) engine->update_average(0.9);
    StepRules rules = shared_rules(loss);
    rules.steps_before = step;
    engine->step(7, step % 2 * 17, 17, rules);
    outcome.losses.push_back(engine->losses().total());
  }
  outcome.values = rows_of(*engine, State::value);
  for (std::size_t s = 0; s < engine->optimizer().states.size(); ++s)
    for (auto& rows : rows_of(*engine, optimizer_state(s)))
      outcome.states.push_back(std::move(rows));
  std::vector<QueryPair> queries;
  std::vector<RankQuestion> questions;
  const std::vector<std::int32_t> known = {1, 4, 9, 20};
  const auto examples = random_examples(plan.shape, 13, 9);
  for (std::size_t i = 0; i + 1 < examples.size(); ++i) {
    queries.push_back({examples[i].query, examples[i + 1].query, i % 3 == 0});
    questions.push_back({queries.back(), examples[i].object, known});
  }
  outcome.scores.resize(queries.size() * static_cast<std::size_t>(plan.shape.entities));
  outcome.ranks.resize(queries.size());
  outcome.best.resize(queries.size());
  engine->score(queries, outcome.scores);
  engine->rank(questions, outcome.ranks);
  engine->top(queries, 9, outcome.best);
  return outcome;
}

inline std::vector<Outcome> trained_by(int processes, const ModelPlan& plan, const LossRules& loss,
                                       EngineOptions options) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(processes));
  run_as_threads(processes, [&](Communicator& others) {
    EngineOptions own = options;
    own.processes = &others;
    outcomes[static_cast<std::size_t>(others.rank())] = trained(plan, own, loss);
  });
  return outcomes;
}

inline void expect_rows_near(const std::vector<float>& found, const std::vector<float>& wanted,
                             double most, const char* what) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], most * (1 + std::abs(wanted[i]))) << what;
}

inline void expect_same_outcome(const Outcome& found, const Outcome& wanted) {
  for (std::size_t i = 0; i < wanted.losses.size(); ++i)
    ASSERT_NEAR(found.losses[i], wanted.losses[i], 1e-6 * std::abs(wanted.losses[i]) + 1e-6);
  for (std::size_t t = 0; t < wanted.values.size(); ++t)
    expect_rows_near(found.values[t], wanted.values[t], 1e-4, "values");
  for (std::size_t t = 0; t < wanted.states.size(); ++t)
    expect_rows_near(found.states[t], wanted.states[t], 1e-4, "optimizer state");
  const double largest = std::abs(
      *std::ranges::max_element(wanted.scores, {}, [](float score) { return std::abs(score); }));
  expect_rows_near(found.scores, wanted.scores, 1e-3 * largest + 1e-3, "scores");
  for (std::size_t i = 0; i < wanted.ranks.size(); ++i) {
    EXPECT_EQ(found.ranks[i].higher, wanted.ranks[i].higher);
    EXPECT_EQ(found.ranks[i].equal, wanted.ranks[i].equal);
    ASSERT_EQ(found.best[i].best.size(), wanted.best[i].best.size());
    for (std::size_t k = 0; k < wanted.best[i].best.size(); ++k)
      EXPECT_EQ(found.best[i].best[k].entity, wanted.best[i].best[k].entity);
    EXPECT_NEAR(found.best[i].log_sum, wanted.best[i].log_sum, 1e-3);
  }
}

// What the leader writes everybody has, and what fails while it leads fails everywhere.
inline void expect_led(const ModelPlan& plan, const EngineOptions& options) {
  run_as_threads(3, [&](Communicator& others) {
    EngineOptions own = options;
    own.processes = &others;
    const auto engine = make_engine(plan, own);
    start_randomly(*engine, 3, 0.5);
    engine->update_average(0.9);
    auto wanted = rows_of(*engine, State::value);
    std::string failure;
    try {
      engine->lead([&] {
        EXPECT_TRUE(others.leads());
        engine->swap_average();
        auto rows = rows_of(*engine, State::value);
        EXPECT_EQ(rows, wanted);
        for (std::size_t t = 0; t < rows.size(); ++t) {
          for (float& value : rows[t]) value += 1;
          engine->write(t, State::value, rows[t]);
        }
        engine->swap_average();
        fail_broken("a full disk");
      });
    } catch (const Error& error) {
      failure = error.what();
    }
    EXPECT_EQ(failure, "a full disk");
    EXPECT_EQ(rows_of(*engine, State::value), wanted);
    for (auto& table : wanted)
      for (float& value : table) value += 1;
    EXPECT_EQ(rows_of(*engine, State::average), wanted);
  });
}

}  // namespace orrery
