// One function a study: what was measured goes in, a report and its raw figures come out.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "page/report.h"
#include "paper/paper_files.h"
#include "paper/reproduce.h"
#include "paper/study_runs.h"

namespace orrery {

struct StudyContext {
  const PaperFiles& files;
  const ReproduceOptions& options;
};

struct StudyOutcome {
  Report report;
  nlohmann::ordered_json details;  // what the runs' scores do not say; null: nothing
};

StudyOutcome results_study(const StudyRuns& runs, const StudyContext& context);
StudyOutcome ablation_study(const StudyRuns& runs, const StudyContext& context);
StudyOutcome sensitivity_study(const StudyRuns& runs, const StudyContext& context);
StudyOutcome curves_study(const StudyRuns& runs, const StudyContext& context);
StudyOutcome attention_study(const StudyRuns& runs, const StudyContext& context);
StudyOutcome efficiency_study(const StudyRuns& runs, const StudyContext& context);
// Of one trained model: that of --run, or the study's first run.
StudyOutcome geometry_study(const StudyRuns& runs, const StudyContext& context);
StudyOutcome patterns_study(const StudyRuns& runs, const StudyContext& context);

// geometry: refuses, before anything is trained, what the data does not have.
void check_relation_and_time(const StudyPlan& plan, const ReproduceOptions& options);

// An option that not every study takes.
struct OwnOption {
  std::string_view name;
  std::string ReproduceOptions::*value;
};
inline constexpr OwnOption run_option = {"run", &ReproduceOptions::run};
inline constexpr OwnOption relation_option = {"relation", &ReproduceOptions::relation};
inline constexpr OwnOption time_option = {"time", &ReproduceOptions::time};
inline constexpr OwnOption peer_option = {"peer", &ReproduceOptions::peer};
inline constexpr OwnOption every_own_option[] = {run_option, relation_option, time_option,
                                                 peer_option};

struct Study {
  std::string_view name, sentence;
  StudyOutcome (*outcome)(const StudyRuns&, const StudyContext&);
  std::span<const OwnOption> own_options = {};

  bool takes(const OwnOption& option) const;
  bool of_one_model() const { return takes(run_option); }
};

std::span<const Study> all_studies();
const Study& study_named(std::string_view name);  // an unknown one is a request Error

}  // namespace orrery
