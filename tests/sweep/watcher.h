// Small sweeps, and somebody who watches them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "api/small_runs.h"
#include "orrery/sweep.h"

namespace orrery::testing {

// Wants to stop after so many questions; it is asked before each step and each trial.
class Watcher : public SweepObserver {
 public:
  explicit Watcher(int most = std::numeric_limits<int>::max()) : left_(most) {}
  void on_trial(const TrialAhead& trial) override { ahead.push_back(trial); }
  void on_result(const Trial& trial) override { results.push_back(trial); }
  void on_epoch(const EpochReport&) override { ++epochs; }
  bool stop_requested() override { return left_-- <= 0; }

  std::vector<TrialAhead> ahead;
  std::vector<Trial> results;
  int epochs = 0;

 private:
  int left_;
};

class SweepRuns : public SmallRuns {
 protected:
  SweepOptions grid() const {
    SweepOptions sweep;
    sweep.fixed = options();
    sweep.fixed.model = "tcomplex";
    sweep.fixed.device = "cpu";
    sweep.fixed.eval_every = 2;
    sweep.searched = {{.name = "lr", .values = {"0.02", "0.1", "0.3"}},
                      {.name = "dropout", .values = {"0", "0.2"}}};
    return sweep;
  }
  SweepOptions drawn(Search search, std::int64_t trials) const {
    SweepOptions sweep = grid();
    sweep.search = search;
    sweep.trials = trials;
    sweep.searched = {{.name = "lr", .range = SearchedRange{0.01, 0.5, true}},
                      {.name = "dropout", .range = SearchedRange{0, 0.3, false}}};
    return sweep;
  }
  std::vector<std::string> runs_in(const std::string& out) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(at(out) / "runs"))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  // The lines of trials.jsonl but for what a clock says.
  std::set<nlohmann::json> log(const std::string& out) const {
    std::set<nlohmann::json> lines;
    std::istringstream text(read_bytes(at(out) / "trials.jsonl"));
    for (std::string line; std::getline(text, line);) {
      auto json = nlohmann::json::parse(line);
      json.erase("seconds");
      if (json.contains("runs"))
        for (auto& run : json["runs"]) run.erase("seconds");
      EXPECT_TRUE(lines.insert(json).second) << line;
    }
    return lines;
  }
};

}  // namespace orrery::testing
