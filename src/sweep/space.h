// Which trials a sweep consists of: pure functions of its options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/sweep.h"

namespace orrery {

using TrialValues = std::vector<std::pair<std::string, std::string>>;

// Different trials there can be; nothing where a range of reals has no end of them.
std::optional<double> count_of_combinations(const std::vector<SearchedOption>& searched);

// Every combination, the last option varying fastest.
std::vector<TrialValues> grid_trials(const std::vector<SearchedOption>& searched);

// `count` different trials; the first of them do not depend on how many there are.
std::vector<TrialValues> drawn_trials(const std::vector<SearchedOption>& searched,
                                      std::uint64_t seed, std::int64_t count);

}  // namespace orrery
