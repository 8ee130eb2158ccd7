// trials.jsonl: one line for every trial and rung that is over.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

#include "sweep/plan.h"

namespace orrery {

nlohmann::ordered_json trial_json(const Trial& trial);

class TrialLog {
 public:
  // Reads what is there. A last line that was cut short is dropped: its trial is done again. Any
  // other that is damaged, or not of a trial of `plan` and its facts, is a request Error.
  TrialLog(std::filesystem::path file, const SweepPlan& plan);

  bool holds(std::int64_t trial, std::int64_t rung) const { return done_.contains({trial, rung}); }
  void append(Trial trial);

  std::int64_t size() const { return std::ssize(done_); }
  std::int64_t size_at(std::int64_t rung) const;
  // Those with a result at this rung that have not failed, best first.
  std::vector<const Trial*> ranked_at(std::int64_t rung) const;
  // The last result of each trial, best first and failed ones at the end.
  std::vector<const Trial*> ranked() const;

 private:
  void read(const SweepPlan& plan);
  void add(Trial trial);

  std::filesystem::path file_;
  std::string data_fingerprint_;
  std::map<std::pair<std::int64_t, std::int64_t>, Trial> done_;  // by trial and rung
};

}  // namespace orrery
