// Who takes part in a comparison, and with how many parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "data/temporal_graph.h"
#include "orrery/compare.h"

namespace orrery {

// "38M", "500k", "1.5M" or plain digits: decimal, as the literature counts parameters.
std::int64_t parse_parameters(std::string_view text);

std::int64_t parameters_of(const TrainOptions& options, const TemporalGraph& data);
// The widest rows (a multiple of the algebra's size and of 8) with at most `budget` parameters.
std::int64_t widest_dim(const TrainOptions& options, const TemporalGraph& data,
                        std::int64_t budget);

std::filesystem::path run_of(const Contender& model, std::uint64_t seed,
                             const std::filesystem::path& out);

// With names and absolute paths. Refuses two of one name or of the same options, other data, and
// models that are not validated.
CompareOptions settled(CompareOptions options);

}  // namespace orrery
