// test.json of a compared run: how it was evaluated, so that it need not be done again and the
// run's embeddings may go.
#pragma once

#include <filesystem>
#include <optional>

#include "orrery/compare.h"

namespace orrery {

void write_test_scores(const std::filesystem::path& run, const TrainSummary& training,
                       const Evaluation& evaluation);

// Nothing where there are none, or those of another training.
std::optional<Scores> read_test_scores(const std::filesystem::path& run,
                                       const TrainSummary& training);
// As far as the run says.
RunOrigin read_origin(const std::filesystem::path& run);

}  // namespace orrery
