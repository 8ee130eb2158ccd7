// What came of a sweep, as a report; its table and its JSON are public (orrery/report.h).
#pragma once

#include "orrery/sweep.h"

namespace orrery {

// sweep.json, sweep.md and sweep.html: the best trials, and what each option does.
void write_sweep_report(const Sweep& sweep);

}  // namespace orrery
