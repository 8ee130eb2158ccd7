// What came of a sweep: a table for a terminal, JSON, and a report.
#pragma once

#include <string>

#include "orrery/sweep.h"

namespace orrery {

std::string sweep_table(const Sweep& sweep);  // the best trials, plain text
std::string sweep_json(const Sweep& sweep);   // everything: for programs

// sweep.json, sweep.md and sweep.html: the best trials, and what each option does.
void write_sweep_report(const Sweep& sweep);

}  // namespace orrery
