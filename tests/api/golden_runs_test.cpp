// Runs of every format version there has been, kept in tests/golden/runs: each must still answer,
// be judged and go on. A new version adds its own (see the README there).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/small_runs.h"
#include "learn/model_header.h"
#include "orrery/evaluate.h"
#include "orrery/predict.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;
const std::filesystem::path golden = ORRERY_SOURCE_DIR "/tests/golden/runs";

std::string data_of(const std::string& run) {
  return (golden / "data" / (run == "intervals" ? "intervals" : "points")).string();
}

// Rows of two processors may differ in their last bits.
constexpr double tolerance = 1e-4;

const std::vector<Question> questions = {
    {"Ada", "visits", "", "2014-02-03"},
    {"", "lies in", "東京", "2014-02-06"},
    {"Bruno \"B.\" Keil", "accuses", "", "1902"},
};

Json answers_of(const std::filesystem::path& run, const std::string& data) {
  testing::RunEvaluation judging;
  judging.data = data;
  judging.machine = {.device = "cpu", .threads = 1};
  const Evaluation judged = testing::evaluate_run(run, judging);
  Json json = {{"test_mrr", judged.pessimistic.mrr}, {"answers", Json::array()}};
  const Model model = Model::open(run, {.threads = 1});
  for (const Question& question : questions) {
    Json best = Json::array();
    for (const Answer& answer : model.predict(question, {.top = 3}))
      best.push_back({answer.name, answer.score});
    json["answers"].push_back(best);
  }
  return json;
}

TrainOptions options_of(const std::string& run) {
  TrainOptions options;
  options.data = data_of(run);
  options.device = "cpu";
  options.precision = "fp32";
  options.threads = 1;
  options.dim = 8;
  options.batch = 60;
  options.epochs = 4;
  options.eval_every = run == "intervals" ? 0 : 2;
  options.ema = run == "interrupted" ? 0.7 : 0;
  return options;
}

class GoldenRuns : public testing::SmallRuns {
 protected:
  // Where a run lies: a copy, since the originals must stay as they are.
  std::filesystem::path copied(const std::filesystem::path& run) const {
    auto copy = at(run.parent_path().filename().string() + run.filename().string());
    std::filesystem::copy(run, copy, std::filesystem::copy_options::recursive);
    return copy;
  }
};

std::vector<std::filesystem::path> golden_runs() {
  std::vector<std::filesystem::path> runs;
  for (int version = 1; version <= model_format_version; ++version)
    for (const auto* name : {"points", "intervals", "interrupted"})
      runs.push_back(golden / ("format" + std::to_string(version)) / name);
  return runs;
}

TEST_F(GoldenRuns, OfEveryVersionAnswerAsTheyDid) {
  for (const auto& run : golden_runs()) {
    const Json expected = Json::parse(testing::read_bytes(run / "answers.json"));
    const Json found = answers_of(run, data_of(run.filename()));
    EXPECT_NEAR(found["test_mrr"], expected["test_mrr"].get<double>(), tolerance) << run;
    ASSERT_EQ(found["answers"].size(), expected["answers"].size()) << run;
    for (std::size_t q = 0; q < found["answers"].size(); ++q)
      for (std::size_t i = 0; i < 3; ++i) {
        const Json &answer = found["answers"][q][i], &wanted = expected["answers"][q][i];
        EXPECT_EQ(answer[0], wanted[0]) << run;
        EXPECT_NEAR(answer[1], wanted[1].get<double>(), tolerance) << run;
      }
  }
}

TEST_F(GoldenRuns, StoppedInMidEpochGoOnToWhereAWholeRunEnds) {
  testing::train_run(options_of("interrupted"), at("whole"));
  const Json whole = answers_of(at("whole"), data_of("interrupted"));
  for (const auto& run : golden_runs()) {
    if (run.filename() != "interrupted") continue;
    const auto copy = copied(run);
    testing::StopAfter never;
    const OptionChanges moved = {{"data", data_of("interrupted")}};
    const TrainSummary summary = testing::resume_run(copy, moved, &never);
    EXPECT_EQ(summary.ending, TrainSummary::Ending::finished);
    EXPECT_EQ(summary.epochs_done, 4);
    EXPECT_EQ(never.done, 7);  // nine of sixteen steps were done
    const Json found = answers_of(copy, data_of("interrupted"));
    EXPECT_NEAR(found["test_mrr"], whole["test_mrr"].get<double>(), tolerance) << run;
    for (std::size_t q = 0; q < questions.size(); ++q)
      EXPECT_NEAR(found["answers"][q][0][1], whole["answers"][q][0][1].get<double>(), tolerance);
  }
}

// Not a test: writes the runs of this version, once and for all.
TEST_F(GoldenRuns, DISABLED_WriteThoseOfThisVersion) {
  const auto folder = golden / ("format" + std::to_string(model_format_version));
  for (const std::string name : {"points", "intervals", "interrupted"}) {
    testing::StopAfter stop(name == "interrupted" ? 9 : 1000);
    testing::train_run(options_of(name), folder / name, &stop);
    std::ofstream(folder / name / "answers.json")
        << answers_of(folder / name, data_of(name)).dump(1) << '\n';
    std::string config = testing::read_bytes(folder / name / "config.toml");
    config.replace(config.find(golden.string()), golden.string().size(), "tests/golden/runs");
    std::ofstream(folder / name / "config.toml") << config;
  }
}

}  // namespace
}  // namespace orrery
