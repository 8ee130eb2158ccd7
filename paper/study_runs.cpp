#include "paper/study_runs.h"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

// Counts the runs of the whole study.
class SetObserver : public CompareObserver {
 public:
  SetObserver(CompareObserver& listener, const StudyRuns& study, std::size_t set)
      : listener_(listener), study_(study), set_(set) {}

  void on_run(const RunAhead& run) override { listener_.on_run(counted(run)); }
  void on_failure(const RunAhead& run, const std::string& reason) override {
    listener_.on_failure(counted(run), reason);
  }
  void on_start(const RunStart& start) override { listener_.on_start(start); }
  void on_step(const StepReport& step) override { listener_.on_step(step); }
  void on_epoch(const EpochReport& epoch) override { listener_.on_epoch(epoch); }
  void on_warning(const std::string& warning) override { listener_.on_warning(warning); }
  bool stop_requested() override { return listener_.stop_requested(); }

 private:
  RunAhead counted(RunAhead run) const {
    run.model = fmt::format("{} {}", study_.plan.sets[set_].name, run.model);
    for (std::size_t i = 0; i < study_.comparisons.size(); ++i)
      if (i != set_)
        run.number += study_.comparisons[i].runs_done + study_.comparisons[i].runs_failed;
    run.of = study_.runs;
    return run;
  }

  CompareObserver& listener_;
  const StudyRuns& study_;
  std::size_t set_;
};

void take_over(StudyRuns& study, std::size_t set, Comparison comparison) {
  study.comparisons[set] = std::move(comparison);
  study.runs_done = study.runs_failed = 0;
  for (const Comparison& of_set : study.comparisons) {
    study.runs_done += of_set.runs_done;
    study.runs_failed += of_set.runs_failed;
  }
}

const CompareRow* row_of(const Comparison& comparison, const std::string& name) {
  const auto found = std::ranges::find_if(
      comparison.rows, [&](const CompareRow& row) { return row.model.name == name; });
  return found == comparison.rows.end() ? nullptr : &*found;
}

}  // namespace

const CompareRow* StudyRuns::measured(std::size_t set, const StudyRow& row) const {
  const CompareRow* found = row_of(comparisons.at(set), row.model);
  return found == nullptr || found->runs.empty() ? nullptr : found;
}

bool StudyRuns::failed(std::size_t set, const StudyRow& row) const {
  const CompareRow* found = row_of(comparisons.at(set), row.model);
  return found != nullptr && found->runs.empty();
}

StudyRuns run_study(StudyPlan plan, std::int64_t seeds, bool keep_models,
                    const std::filesystem::path& out, CompareObserver* observer,
                    const std::function<void(const StudyRuns&)>& after) {
  CompareObserver silent;
  CompareObserver& listener = observer != nullptr ? *observer : silent;
  StudyRuns study;
  study.plan = std::move(plan);
  study.seeds = seeds;
  study.comparisons.resize(study.plan.sets.size());
  std::vector<ComparisonRunner> sets;
  for (const StudySet& set : study.plan.sets) {
    CompareOptions options;
    options.models = set.models;
    options.seeds = seeds;
    options.keep_models = keep_models;
    sets.emplace_back(options, out / set.name);
    study.runs += seeds * static_cast<std::int64_t>(set.models.size());
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    SetObserver counting(listener, study, i);
    sets[i].gather(counting);
    take_over(study, i, sets[i].so_far());
  }
  for (std::int64_t number = 0; number < seeds; ++number)
    for (std::size_t i = 0; i < sets.size(); ++i) {
      SetObserver counting(listener, study, i);
      const std::int64_t before = study.runs_done + study.runs_failed;
      const bool whole = sets[i].carry_out_seed(number, counting);
      take_over(study, i, sets[i].so_far());
      if (!whole) return study;
      if (study.runs_done + study.runs_failed > before) after(study);
    }
  return study;
}

}  // namespace orrery
