#include "study/study_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/compare_scores.h"
#include "base/error.h"
#include "learn/run_directory.h"

namespace orrery {
namespace {

// Counts the runs of the whole study, and keeps silent of those that an earlier round has told of.
class RoundObserver : public CompareObserver {
 public:
  RoundObserver(CompareObserver& told, std::string set, std::int64_t told_already,
                std::int64_t done, std::int64_t runs)
      : told_(told), set_(std::move(set)), told_already_(told_already), done_(done), runs_(runs) {}

  void on_run(const RunAhead& run) override {
    if (run.number <= told_already_) return;
    RunAhead counted = run;
    counted.model = fmt::format("{} {}", set_, run.model);
    counted.number = done_ + run.number - told_already_;
    counted.of = runs_;
    told_.on_run(counted);
  }
  void on_start(const RunStart& start) override { told_.on_start(start); }
  void on_step(const StepReport& step) override { told_.on_step(step); }
  void on_epoch(const EpochReport& epoch) override { told_.on_epoch(epoch); }
  bool stop_requested() override { return told_.stop_requested(); }

 private:
  CompareObserver& told_;
  std::string set_;
  std::int64_t told_already_, done_, runs_;
};

}  // namespace

const CompareRow* StudyRuns::measured(std::size_t set, const StudyRow& row) const {
  const auto& rows = comparisons.at(set).rows;
  const auto found = std::ranges::find_if(
      rows, [&](const CompareRow& r) { return r.model.name == row.contender; });
  return found == rows.end() ? nullptr : &*found;
}

StudyRuns run_study(StudyPlan plan, std::int64_t seeds, bool keep_models,
                    const std::filesystem::path& out, CompareObserver* observer,
                    const std::function<void(const StudyRuns&)>& after) {
  if (seeds < 1) fail_request("--seeds is {}, but must be at least 1", seeds);
  CompareObserver silent;
  CompareObserver& told = observer != nullptr ? *observer : silent;
  StudyRuns study;
  study.plan = std::move(plan);
  study.seeds = seeds;
  study.comparisons.resize(study.plan.sets.size());
  for (const StudySet& set : study.plan.sets)
    study.runs += seeds * static_cast<std::int64_t>(set.contenders.size());
  for (std::int64_t round = 1; round <= seeds; ++round)
    for (std::size_t i = 0; i < study.plan.sets.size(); ++i) {
      const StudySet& set = study.plan.sets[i];
      const auto contenders = static_cast<std::int64_t>(set.contenders.size());
      CompareOptions options;
      options.models = set.contenders;
      options.seeds = round;
      options.keep_models = keep_models;
      RoundObserver counting(told, set.name, (round - 1) * contenders, study.runs_done, study.runs);
      study.comparisons[i] = compare(options, out / set.name, &counting);
      study.runs_done += study.comparisons[i].runs_done - (round - 1) * contenders;
      if (study.comparisons[i].runs_done < study.comparisons[i].runs) return study;
      after(study);
    }
  return study;
}

void check_folder(const std::filesystem::path& out) { RunDirectory::create(out); }
void make_folder(const std::filesystem::path& out) { RunDirectory::create(out).make(); }

std::vector<EpochReport> epochs_of(const ComparedRun& run) {
  return RunDirectory::open(run.run).epochs();
}

std::vector<NamedScore> scores_by(const ComparedRun& run, ScoredPart part) {
  std::vector<NamedScore> scores;
  for (const BreakdownRow& row : read_test_breakdown(
           run.run, part == ScoredPart::relation ? BreakdownBy::relation : BreakdownBy::entity))
    scores.push_back({row.name, row.metrics.count, row.metrics.mrr});
  return scores;
}

}  // namespace orrery
