// test.json of a compared run: what the judge said of it, so that it need not be asked again and
// the run's rows may go.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "api/judged_run.h"
#include "judge/breakdown.h"
#include "orrery/compare.h"

namespace orrery {

void write_test_scores(const std::filesystem::path& run, const TrainSummary& training,
                       const JudgedRun& judged);

// Nothing where there are none, or those of another training.
std::optional<Scores> read_test_scores(const std::filesystem::path& run,
                                       const TrainSummary& training);
// As far as the run says.
RunOrigin read_origin(const std::filesystem::path& run);
// By relation or by entity, as breakdown() gave them; a damaged file is a request Error.
std::vector<BreakdownRow> read_test_breakdown(const std::filesystem::path& run, By by);

}  // namespace orrery
