// How the HTML page of a report looks.
#pragma once

namespace orrery {

extern const char* const report_style;

}  // namespace orrery
