// Every case of the golden file (float64 values from an independent program), to 1e-10 in double.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/battery.h"
#include "engine/reference_step.h"
#include "engine/slow_model.h"

namespace orrery {
namespace {

const nlohmann::json& golden() {
  static const auto json =
      nlohmann::json::parse(std::ifstream(ORRERY_SOURCE_DIR "/tests/golden/bsca.json"));
  return json;
}

std::vector<Example> golden_batch() {
  std::vector<Example> batch;
  for (const auto& f : golden()["batch"]) batch.push_back({{f[0], f[1], f[3]}, f[2]});
  return batch;
}

ModelShape golden_shape() {
  return {golden()["entities"], 2 * golden()["relations"].get<int>(), golden()["timestamps"],
          8 * golden()["lanes"].get<int>()};
}

// A golden row is [component][lane]; null stands for "no such gradient".
std::vector<double> flatten(const nlohmann::json& rows) {
  std::vector<double> flat;
  if (rows.is_null()) return flat;
  for (const auto& row : rows)
    for (const auto& component : row)
      for (const auto& value : component) flat.push_back(value.get<double>());
  return flat;
}

ReferenceTables tables_from(const ModelVariant& variant, const nlohmann::json& named) {
  ReferenceTables tables;
  for (const auto& row : variant.rows)
    tables.push_back(row.trained ? flatten(named[std::string(row.name)]) : std::vector<double>{});
  return tables;
}

LossRules rules_of(const nlohmann::json& json) {
  return {.lambda_n3 = golden()["lambda_n3"],
          .lambda_time = golden()["lambda_time"],
          .norm = {json["norm"] == "complex" ? Norm::complex : Norm::element, 3}};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted,
                 double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], tolerance * (1 + std::abs(wanted[i]))) << what << " at " << i;
}

void expect_tables(const ModelVariant& variant, const ReferenceTables& found,
                   const nlohmann::json& named, double tolerance, const std::string& what) {
  for (std::size_t r = 0; r < variant.rows.size(); ++r)
    if (variant.rows[r].trained)
      expect_near(found[r], flatten(named[std::string(variant.rows[r].name)]), tolerance,
                  what + " " + std::string(variant.rows[r].name));
}

struct GoldenCase {
  explicit GoldenCase(int number) : json(golden()["cases"][number]) {}

  const nlohmann::json& json;
  const ModelVariant& variant = find_variant("bsca", {{"attention", json["attention"]}});
  ModelPlan plan{&variant, golden_shape(), {}};
  LossRules rules = rules_of(json);
  std::vector<Example> batch = golden_batch();
};

class Golden : public testing::TestWithParam<int>, protected GoldenCase {
 protected:
  Golden() : GoldenCase(GetParam()) {}
};

TEST_P(Golden, ReferenceAgreesInDouble) {
  const auto model = make_slow_model(plan, tables_from(variant, json["parameters"]));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    expect_near(model->query(batch[i].query), flatten({json["query"][i]}), 1e-10, "query");
    expect_near(model->scores(batch[i].query), json["scores"][i], 1e-10, "scores");
  }
  ReferenceTables gradient;
  const LossSums loss = model->loss(batch, rules, 0, &gradient);
  EXPECT_NEAR(loss.cross_entropy, json["loss"]["cross_entropy"], 1e-10);
  EXPECT_NEAR(loss.n3, json["loss"]["n3"], 1e-10);
  EXPECT_NEAR(loss.time, json["loss"]["time"], 1e-10);
  expect_tables(variant, gradient, json["gradients"], 1e-10, "gradient of");
}

TEST_P(Golden, ReferenceTakesTheSameThreeAdagradSteps) {
  const auto& adagrad = json["adagrad"];
  const StepRules step{rules, adagrad["learning_rate"], adagrad["epsilon"]};
  const auto model = make_slow_model(plan, tables_from(variant, json["parameters"]));
  const Optimizer& optimizer = find_optimizer("adagrad");
  ReferenceStates states = fresh_states(optimizer, model->tables());
  ReferenceTables gradient;
  for (int i = 0; i < 3; ++i) {
    const double loss = model->loss(batch, rules, 0, &gradient).total();
    EXPECT_NEAR(loss, adagrad["losses_before_each_step"][i], 1e-9);
    take_step(optimizer, step, variant.rows.size(), static_cast<std::int64_t>(batch.size()),
              gradient, states, model->tables());
  }
  expect_tables(variant, model->tables(), adagrad["parameters_after"], 1e-9, "after three steps");
}

std::string name_of_case(int number) {
  const auto& json = golden()["cases"][number];
  return json["attention"].get<std::string>() + "_" + json["norm"].get<std::string>();
}
INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::Range(0, 6),
                         [](const auto& test) { return name_of_case(test.param); });

class GoldenInFloat : public testing::TestWithParam<std::tuple<int, std::string>>,
                      protected GoldenCase {
 protected:
  GoldenInFloat() : GoldenCase(std::get<0>(GetParam())) {}
};

TEST_P(GoldenInFloat, EveryTargetAgrees) {
  const auto engine = make_engine(plan, options_of(std::get<1>(GetParam())));
  write_tables(*engine, tables_from(variant, json["parameters"]));
  std::vector<QueryPair> queries;
  for (const auto& example : batch) queries.push_back({example.query, {}, false});
  std::vector<float> scores(batch.size() * static_cast<std::size_t>(plan.shape.entities));
  engine->score(queries, scores);
  std::vector<double> wanted;
  for (const auto& row : json["scores"])
    for (const auto& score : row) wanted.push_back(score);
  expect_near({scores.begin(), scores.end()}, wanted, 1e-4, "scores");

  const auto& adagrad = json["adagrad"];
  engine->set_examples(batch);
  for (int i = 0; i < 3; ++i) {
    engine->set_losses({});
    engine->step(7, 0, static_cast<std::int64_t>(batch.size()),
                 {rules, adagrad["learning_rate"], adagrad["epsilon"]});
    const double expected = adagrad["losses_before_each_step"][i];
    EXPECT_NEAR(engine->losses().total(), expected, 1e-4 * expected);
  }
  expect_tables(variant, read_tables(*engine, State::value), adagrad["parameters_after"], 1e-4,
                "after three steps");
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenInFloat,
                         testing::Combine(testing::Range(0, 6), testing::ValuesIn(targets())),
                         [](const auto& test) {
                           return name_of_case(std::get<0>(test.param)) + "_" +
                                  std::get<1>(test.param);
                         });

}  // namespace
}  // namespace orrery
