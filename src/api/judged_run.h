// A trained model put before the judge, with everything a report wants.
#pragma once

#include <filesystem>

#include "data/dataset.h"
#include "judge/judge.h"
#include "orrery/evaluate.h"

namespace orrery {

struct JudgedRun {
  std::filesystem::path data_path;
  Dataset data;  // in the model's ids
  Judgement judgement;
};

JudgedRun judge_run(const std::filesystem::path& model, const EvaluateOptions& options,
                    const JudgeOptions& judging);

}  // namespace orrery
