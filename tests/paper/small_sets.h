// Small worlds in folders that bear the names of the paper's sets, and studies on them.
#pragma once

#include <gtest/gtest.h>

#include "api/small_runs.h"
#include "paper/paper_files.h"
#include "paper/reproduce.h"

namespace orrery::testing {

class SmallSets : public SmallRuns {
 protected:
  void SetUp() override {
    write_world("sets/icews14", false);
    write_world("sets/yago11k", true);
  }

  ReproduceOptions asked(const std::string& study, std::int64_t seeds = 1) const {
    ReproduceOptions options;
    options.study = study;
    options.data = at("sets").string();
    options.seeds = seeds;
    options.changes = {{"dim", "16"},       {"epochs", "2"},  {"batch", "67"},
                       {"eval-every", "1"}, {"threads", "1"}, {"device", "cpu"}};
    options.command = "orrery reproduce " + study;
    return options;
  }

  // A copy of the built-in configs/paper, to be edited.
  void write_configs(const std::string& folder) const {
    for (const PaperFile& file : built_in_paper_files()) {
      const std::string name = folder + "/" + std::string(file.name);
      std::filesystem::create_directories(at(name).parent_path());
      scratch_.write(name, file.text);
    }
  }

  nlohmann::json saved(const std::string& study) const {
    return nlohmann::json::parse(read_bytes(at("out") / (study + ".json")));
  }
  // The n-th table of a saved report, from 0.
  nlohmann::json table(const std::string& study, std::size_t number) const {
    const auto json = saved(study);
    for (const auto& block : json["report"]["blocks"])
      if (block["type"] == "table" && number-- == 0) return block;
    ADD_FAILURE() << study << " has no such table";
    return {};
  }
  std::string page(const std::string& file) const { return read_bytes(at("out") / file); }
};

// Counts epochs, keeps what it is told of runs, and wants to stop after so many steps.
class StudyWatcher : public CompareObserver {
 public:
  explicit StudyWatcher(int most = std::numeric_limits<int>::max()) : left_(most) {}
  void on_run(const RunAhead& run) override { runs.push_back(run); }
  void on_failure(const RunAhead& run, const std::string& reason) override {
    failures.push_back(fmt::format("{} of {}: {}: {}", run.number, run.of, run.model, reason));
  }
  void on_epoch(const EpochReport&) override { ++epochs; }
  bool stop_requested() override { return left_-- <= 0; }

  std::vector<RunAhead> runs;
  std::vector<std::string> failures;
  int epochs = 0;

 private:
  int left_;
};

}  // namespace orrery::testing
