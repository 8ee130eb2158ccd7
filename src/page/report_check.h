// Whether the parts of a report fit together, such as the rows of a table its head.
#pragma once

#include <string>

#include "page/report.h"

namespace orrery {

std::string fault_of(const Report& report);  // empty: none

void check_report(const Report& report);  // a fault is a broken program's

}  // namespace orrery
