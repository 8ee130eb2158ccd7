// Steps that change some rows alone, and scores that do not depend on how many candidates there
// are: what lets a model grow while its old answers stay.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/battery.h"

namespace orrery {
namespace {

using Rows = std::vector<std::vector<std::int32_t>>;

std::vector<float> read(const Engine& engine, std::size_t table, State state) {
  const TableSpec& spec = engine.tables()[table];
  std::vector<float> rows(static_cast<std::size_t>(spec.count) *
                          static_cast<std::size_t>(spec.width));
  engine.read(table, state, rows);
  return rows;
}

// `with` in the rows of `trained`, `without` in all others.
std::vector<float> mixed(const TableSpec& table, std::span<const std::int32_t> trained,
                         const std::vector<float>& with, std::vector<float> without) {
  const auto width = static_cast<std::ptrdiff_t>(table.width);
  for (const std::int32_t row : trained)
    std::copy_n(with.begin() + row * width, width, without.begin() + row * width);
  return without;
}

class TrainedRows : public ByVariantAndTarget {
 protected:
  void SetUp() override {
    if (target == "gpu") GTEST_SKIP() << "a GPU trains all rows or none";
  }
  std::unique_ptr<Engine> engine_with(const ModelPlan& plan, Precision precision,
                                      const char* optimizer) const {
    EngineOptions options = options_of(target, precision);
    options.optimizer = optimizer;
    auto engine = make_engine(plan, options);
    write_tables(*engine, random_tables(plan, 3, 0.4));
    engine->set_examples(random_examples(plan.shape, 60, 4));
    return engine;
  }
};

// The slow truth: all rows are trained, and those that should not are written back after each step.
TEST_P(TrainedRows, AreTheOnlyOnesThatChange) {
  const ModelPlan small = plan(19);
  StepRules rules;
  rules.loss.lambda_n3 = 0.05;
  rules.loss.lambda_time = 0.2;
  rules.loss.dropout = 0.2F;
  for (const auto& [precision, optimizer] : {std::pair{Precision::fp32, "adagrad"},
                                             {Precision::bf16, "adagrad"},
                                             {Precision::bf16, "adam"}}) {
    const auto fast = engine_with(small, precision, optimizer),
               slow = engine_with(small, precision, optimizer);
    std::vector<State> states = {State::value};
    for (std::size_t s = 0; s < slow->optimizer().states.size(); ++s)
      states.push_back(optimizer_state(s));
    Rows rows;
    for (const TableSpec& table : fast->tables())
      rows.push_back(table.of == RowOf::shared ? std::vector<std::int32_t>{}
                                               : std::vector<std::int32_t>{0, table.count - 1});
    fast->train_only(rows);
    for (rules.steps_before = 0; rules.steps_before < 4; ++rules.steps_before) {
      std::vector<std::vector<float>> before;
      for (std::size_t t = 0; t < rows.size(); ++t)
        for (const State state : states) before.push_back(read(*slow, t, state));
      for (Engine* engine : {fast.get(), slow.get()})
        engine->step(7, 15 * rules.steps_before, 15, rules);
      auto kept = before.begin();
      for (std::size_t t = 0; t < rows.size(); ++t)
        for (const State state : states)
          slow->write(t, state, mixed(slow->tables()[t], rows[t], read(*slow, t, state), *kept++));
    }
    for (std::size_t t = 0; t < rows.size(); ++t)
      for (const State state : states)
        EXPECT_EQ(read(*fast, t, state), read(*slow, t, state))
            << optimizer << ", " << fast->tables()[t].name;
    EXPECT_EQ(fast->losses().total(), slow->losses().total());
  }
}

// Entities of the larger model that are those of the smaller one: every new one moves the rest.
std::vector<std::int32_t> places_among(std::int32_t before, std::int32_t now) {
  std::vector<std::int32_t> places;
  for (std::int32_t i = 0; i < before; ++i)
    places.push_back(static_cast<std::int32_t>(std::int64_t{i} * now / before));
  return places;
}

void expect_same_scores(const ModelPlan& small, std::int32_t entities, const std::string& target,
                        std::size_t questions) {
  ModelPlan large = small;
  large.shape.entities = entities;
  const auto places = places_among(small.shape.entities, entities);
  const auto before = make_engine(small, options_of(target)),
             after = make_engine(large, options_of(target));
  write_tables(*before, random_tables(small, 3, 0.4));
  write_tables(*after, random_tables(large, 5, 0.4));
  for (std::size_t t = 0; t < before->tables().size(); ++t) {
    const TableSpec& table = before->tables()[t];
    const std::vector<float> rows = read(*before, t, State::value);
    std::vector<float> moved = read(*after, t, State::value);
    const auto width = static_cast<std::ptrdiff_t>(table.width);
    for (std::int32_t row = 0; row < table.count; ++row)
      std::copy_n(
          rows.begin() + row * width, width,
          moved.begin() +
              (table.of == RowOf::entity ? places[static_cast<std::size_t>(row)] : row) * width);
    after->write(t, State::value, moved);
  }
  std::vector<QueryPair> asked, asked_after;
  for (const Example& e : random_examples(small.shape, questions, 8)) {
    asked.push_back({e.query, e.query, false});
    Query moved = e.query;
    moved.subject = places[static_cast<std::size_t>(moved.subject)];
    asked_after.push_back({moved, moved, false});
  }
  const auto count = static_cast<std::size_t>(small.shape.entities);
  const auto more = static_cast<std::size_t>(entities);
  std::vector<float> scores(questions * count), scores_after(questions * more), kept;
  before->score(asked, scores);
  after->score(asked_after, scores_after);
  for (std::size_t q = 0; q < questions; ++q)
    for (const std::int32_t place : places)
      kept.push_back(scores_after[q * more + static_cast<std::size_t>(place)]);
  // What another matrix library does with products of another size is its own affair.
  if (small.variant->by_product && before->description().find("oneDNN") == std::string::npos)
    GTEST_SKIP() << "the matrix library is not oneDNN";
  EXPECT_EQ(std::memcmp(kept.data(), scores.data(), scores.size() * sizeof(float)), 0)
      << count << " and " << more << " candidates, " << questions << " questions";
}

TEST_P(TrainedRows, ScoresDoNotDependOnHowManyCandidatesThereAre) {
  for (const std::int32_t lanes : {5, 19, 32})
    for (const std::size_t questions : {1, 7})
      for (const std::int32_t entities : {12, 17, 40, 700})
        expect_same_scores(plan(lanes), entities, target, questions);
}

INSTANTIATE_TEST_SUITE_P(AllModels, TrainedRows, every_variant_and_target(), name_of_both);

// At sizes where products are cut into tiles, and tiles change their height.
TEST(ScoresOfManyCandidates, DoNotDependOnTheirNumber) {
  for (const std::string& target : instruction_sets())
    for (const std::int32_t lanes : {16, 50})
      for (const std::size_t questions : {1, 64})
        for (const auto& [before, after] : {std::pair{500, 513}, {4090, 4097}, {3000, 9001}})
          expect_same_scores(plan_of(all_variants()[0], lanes, {before, 6, 4, 0}), after, target,
                             questions);
}

}  // namespace
}  // namespace orrery
