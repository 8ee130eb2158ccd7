// A trained model put before the judge, with everything a report wants; and what else training and
// judging share.
#pragma once

#include <filesystem>
#include <string>

#include "data/dataset.h"
#include "judge/judge.h"
#include "orrery/evaluate.h"

namespace orrery {

struct JudgedRun {
  std::filesystem::path data_path;
  Dataset data;  // in the model's ids
  Judgement judgement;
};

inline Scores scores_of(const Metrics& m) { return {m.mrr, m.hits1, m.hits3, m.hits10}; }

// A run must find its data from any directory.
inline std::string absolute_path(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

JudgedRun judge_run(const std::filesystem::path& model, const EvaluateOptions& options,
                    const JudgeOptions& judging);

}  // namespace orrery
