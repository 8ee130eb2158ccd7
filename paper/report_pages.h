// Saved reports on a terminal and in Markdown files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "page/report.h"

namespace orrery {

// Of a study's JSON, or a report's alone; a damaged one is a request Error.
Report read_report(const std::filesystem::path& file);

// For a terminal: tables in full, plots by name alone.
std::string report_plain_text(const Report& report);

// `markdown` with its marked parts written anew; `file` is what messages call it.
std::string with_tables(std::string_view markdown, const std::string& file,
                        const std::filesystem::path& root);

}  // namespace orrery
