// A comparison as a person or a program wants to read it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orrery/compare.h"

namespace orrery {

std::string comparison_table(const Comparison& comparison);
std::string comparison_markdown(const Comparison& comparison);
nlohmann::ordered_json comparison_data(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

// "64.70", with several runs "64.70 ± 0.12", and where fewer are done than `asked` "64.70 ± 0.12
// (2 seeds)"; of no runs "—".
std::string scores_cell(double mean, double deviation, std::size_t runs, std::int64_t asked);

// compare.json and compare.md
void write_comparison(const Comparison& comparison, const std::filesystem::path& out);

}  // namespace orrery
