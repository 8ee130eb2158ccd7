// Carries a study's runs out: one comparison a set, every seed of all sets before the next.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "orrery/compare.h"
#include "paper/study_plan.h"

namespace orrery {

struct StudyRuns {
  StudyPlan plan;
  std::int64_t seeds = 1;
  std::vector<Comparison> comparisons;  // one a set of the plan, so far as it is
  std::int64_t runs_done = 0, runs_failed = 0, runs = 0;

  bool complete() const { return runs_done + runs_failed == runs; }
  // Nothing: none of its runs is done.
  const CompareRow* measured(std::size_t set, const StudyRow& row) const;
  // None is, and at least one has failed.
  bool failed(std::size_t set, const StudyRow& row) const;
};

// The runs of a set are in out/SET; the same call goes on where the last one stopped. What is
// done already is taken in before anything is trained; `after` is called whenever a set has one
// seed more.
StudyRuns run_study(StudyPlan plan, std::int64_t seeds, bool keep_models,
                    const std::filesystem::path& out, CompareObserver* observer,
                    const std::function<void(const StudyRuns&)>& after);

}  // namespace orrery
