// Parts of a comparison's report, for those who put it into larger ones.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orrery/compare.h"

namespace orrery {

nlohmann::ordered_json comparison_data(const Comparison& comparison);

// "64.70", with several runs "64.70 ± 0.12", and where fewer are done than `asked` "64.70 ± 0.12
// (2 seeds)"; of no runs no_figure.
std::string scores_cell(double mean, double deviation, std::size_t runs, std::int64_t asked);

// compare.json and compare.md
void write_comparison(const Comparison& comparison, const std::filesystem::path& out);

}  // namespace orrery
