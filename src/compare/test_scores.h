// test.json of a compared run: how it was evaluated, so that it need not be done again and the
// run's embeddings may go.
#pragma once

#include <filesystem>
#include <optional>

#include "orrery/compare.h"

namespace orrery {

struct TestScores {
  Scores test;
  std::optional<Scores> without_history;
};

// `without_history`: null where the model has none.
void write_test_scores(const std::filesystem::path& run, const TrainSummary& training,
                       const Evaluation& evaluation, const Evaluation* without_history);

// Nothing where there are none, or those of another training.
std::optional<TestScores> read_test_scores(const std::filesystem::path& run,
                                           const TrainSummary& training);
// As far as the run says.
RunOrigin read_origin(const std::filesystem::path& run);

}  // namespace orrery
