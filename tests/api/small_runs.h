// A world of a few hundred facts that a small model learns in a blink, and runs on it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "facts/scratch.h"
#include "learn/small_model.h"
#include "orrery/evaluate.h"
#include "orrery/run.h"

namespace orrery::testing {

// A run in a directory, as the command line trains it.
inline TrainSummary train_run(const TrainOptions& options, const std::filesystem::path& directory,
                              TrainObserver* observer = nullptr) {
  return Run::begin(directory, options).train(observer);
}
inline TrainSummary resume_run(const std::filesystem::path& directory,
                               const OptionChanges& changes = {},
                               TrainObserver* observer = nullptr) {
  return Run::resume(directory, changes).train(observer);
}

// A run, or a model's file, evaluated as the command line does it.
struct RunEvaluation {
  std::string data = {};  // empty: what it was trained on
  std::string split = "test";
  MachineOptions machine = {.device = "auto"};
  bool verify = true;
};
inline Evaluation evaluate_run(const std::filesystem::path& path, const RunEvaluation& how = {}) {
  const Model model = Model::open(path, how.machine, how.verify);
  return evaluate(model, how.data.empty() ? model.training_data() : model.read_data(how.data),
                  {.split = split_named(how.split)});
}

// Objects follow from subject, relation and date by a rule, a few at random.
inline std::string world_lines(std::uint64_t first, std::uint64_t count, bool intervals) {
  std::string lines;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const std::uint32_t subject = random_below(1, i, 20);
    const std::uint32_t relation = random_below(2, i, 3), when = random_below(3, i, 8);
    const std::uint32_t object =
        i % 9 == 0 ? random_below(4, i, 20) : (3 * subject + 5 * relation + when / 2 + 1) % 20;
    lines += fmt::format("e{:02}\tr{}\te{:02}\t", subject, relation, object);
    if (!intervals)
      lines += fmt::format("2014-01-{:02}\n", when + 1);
    else
      lines += fmt::format("{}\t{}\n", 1900 + when,
                           i % 5 == 0 ? std::string("####") : std::to_string(1904 + when));
  }
  return lines;
}

class SmallRuns : public ::testing::Test {
 protected:
  void SetUp() override { write_world("data", false); }

  void write_world(const std::string& name, bool intervals) const {
    std::filesystem::create_directories(at(name));
    scratch_.write(name + "/train.txt", world_lines(0, 220, intervals));
    scratch_.write(name + "/valid.txt", world_lines(220, 25, intervals));
    scratch_.write(name + "/test.txt", world_lines(245, 25, intervals));
  }

  std::filesystem::path at(const std::string& name) const { return scratch_.path() / name; }

  // Seven steps an epoch, the last one short.
  TrainOptions options() const {
    TrainOptions o;
    o.data = at("data").string();
    o.dim = 16;
    o.epochs = 4;
    o.batch = 67;
    o.threads = 1;
    o.reading.intervals = "within";
    return o;
  }

  // Everything that adds to a run's state.
  TrainOptions rich_options() const {
    TrainOptions o = options();
    o.dropout = 0.2;
    o.ema = 0.7;
    o.self_distillation = 0.3;
    o.self_distillation_from = 1;
    o.aux_relation = 0.3;
    o.aux_time = 0.4;
    o.eval_every = 1;
    o.patience = 20;
    return o;
  }

  std::string model_bytes(const std::string& run) const {
    return read_bytes(at(run) / "model.safetensors");
  }
  std::string state_bytes(const std::string& run) const {
    return read_bytes(at(run) / "state.safetensors");
  }
  std::vector<std::string> names_in(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(at(folder)))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  void expect_same_run(const std::string& a, const std::string& b) const {
    EXPECT_TRUE(model_bytes(a) == model_bytes(b)) << a << " and " << b;
    EXPECT_TRUE(state_bytes(a) == state_bytes(b)) << a << " and " << b;
    EXPECT_EQ(metrics(a), metrics(b)) << a << " and " << b;
  }

  // The lines of metrics.jsonl but for what a clock says.
  std::vector<nlohmann::json> metrics(const std::string& run) const {
    std::vector<nlohmann::json> lines;
    std::istringstream text(read_bytes(at(run) / "metrics.jsonl"));
    for (std::string line; std::getline(text, line);) {
      lines.push_back(nlohmann::json::parse(line));
      EXPECT_GE(lines.back().at("seconds").get<double>(), 0);
      lines.back().erase("seconds");
      lines.back().erase("examples_per_second");
    }
    return lines;
  }

  ScratchDirectory scratch_;
};

// Wants to stop after `most` steps of this process; it is asked before each of them.
class StopAfter : public TrainObserver {
 public:
  explicit StopAfter(int most = std::numeric_limits<int>::max()) : most_(most) {}
  void on_start(const RunStart& report) override { start = report; }
  void on_step(const StepReport& report) override { steps.push_back(report); }
  void on_epoch(const EpochReport& report) override { epochs.push_back(report); }
  bool stop_requested() override {
    if (done == most_) return true;
    ++done;
    return false;
  }

  int done = 0;  // steps
  RunStart start;
  std::vector<StepReport> steps;
  std::vector<EpochReport> epochs;

 private:
  int most_;
};

}  // namespace orrery::testing
