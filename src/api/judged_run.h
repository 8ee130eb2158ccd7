// A trained model put before the judge, with everything a report wants; and what else training and
// judging share.
#pragma once

#include <filesystem>
#include <string>

#include "data/temporal_graph.h"
#include "judge/judge.h"
#include "learn/model_file.h"
#include "orrery/evaluate.h"

namespace orrery {

struct JudgedRun {
  std::filesystem::path data_path;
  TemporalGraph data;  // in the model's ids
  Judgement judgement;
};

inline Scores scores_of(const Metrics& m) { return {m.mrr, m.hits1, m.hits3, m.hits10}; }

// A run must find its data from any directory.
inline std::string absolute_path(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

// In the model's ids. The data that the run's config names, unless the caller names other data;
// the former must be what it was trained on.
struct DataOfRun {
  std::filesystem::path path;
  TemporalGraph data;
};
DataOfRun data_of_run(const std::filesystem::path& model, const ModelCard& card,
                      const std::string& asked);

JudgedRun judge_run(const std::filesystem::path& model, const EvaluateOptions& options,
                    const JudgeOptions& judging);

}  // namespace orrery
