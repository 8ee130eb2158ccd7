// A report as plain text on a terminal.
#pragma once

#include <string>

#include "page/bar_plot.h"
#include "page/report.h"

namespace orrery {

// Paragraphs are wrapped and tables narrowed to the form's width; backticks fall away. A plot of
// bars is drawn, others become tables of their points. Control characters of names become '?'.
std::string report_plain(const Report& report, const TextForm& form = {});

}  // namespace orrery
