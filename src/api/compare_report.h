// A comparison as a person or a program wants to read it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "orrery/compare.h"

namespace orrery {

std::string comparison_table(const Comparison& comparison);
std::string comparison_markdown(const Comparison& comparison);
nlohmann::ordered_json comparison_data(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

// compare.json and compare.md
void write_comparison(const Comparison& comparison, const std::filesystem::path& out);

}  // namespace orrery
