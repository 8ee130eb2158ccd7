// The command line and the API are two doors to the same rooms.
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "orrery/defaults.h"
#include "orrery/evaluate.h"
#include "orrery/report.h"
#include "orrery/run.h"

namespace orrery {
namespace {

class SameBytes : public testing::CommandLine {
 protected:
  OptionChanges changes() const {
    return {{"dim", "16"},        {"batch", "67"},
            {"threads", "1"},     {"device", "cpu"},
            {"epochs", "4"},      {"dropout", "0.2"},
            {"ema", "0.7"},       {"self-distillation", "0.3"},
            {"eval-every", "1"},  {"aux-time", "0.4"},
            {"lr", "0.15"},       {"self-distillation-from", "1"},
            {"seed", "7"},        {"without", "time_add,relation_add"},
            {"attention", "real"}};
  }
  TrainOptions same_options() const {
    return fitting_options(Dataset::open(at("data").string()), changes()).options;
  }
  void train_by_program(const std::string& run) const {
    Words words = {"train", "--data", at("data").string(), "--out", at(run).string()};
    for (const auto& [name, text] : changes()) words.insert(words.end(), {"--" + name, text});
    done(words);
  }
};

TEST_F(SameBytes, OfARun) {
  train_by_program("program");
  Run::begin(at("api"), same_options()).train();
  expect_same_run("program", "api");
  EXPECT_EQ(testing::read_bytes(at("program/config.toml")),
            testing::read_bytes(at("api/config.toml")));
}

TEST_F(SameBytes, OfAModelThatWasTrainedInMemory) {
  train_by_program("program");
  const TrainOptions options = same_options();
  const Dataset data = Dataset::open(options.data, data_options(options));
  const Model model = train(data, options);
  model.save(at("memory.safetensors"));
  EXPECT_TRUE(testing::read_bytes(at("memory.safetensors")) == model_bytes("program"));
  const auto printed = json({"evaluate", at("program").string(), "--device", "cpu"});
  EXPECT_EQ(printed, nlohmann::json::parse(evaluation_json(evaluate(model, data))));
}

TEST_F(SameBytes, OfARunThatTheOtherResumes) {
  train_by_program("program");
  Run::begin(at("api"), same_options()).train();
  Run::resume(at("program"), {{"epochs", "6"}}).train();
  done({"train", "--resume", at("api").string(), "--epochs", "6"});
  expect_same_run("program", "api");
}

}  // namespace
}  // namespace orrery
