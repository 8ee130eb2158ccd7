// One of every block, with names as files may hold them.
#pragma once

#include <limits>

#include "page/report.h"

namespace orrery {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

inline Plot plot_of(Plot::Kind kind, std::vector<Series> series) {
  return {"A caption", kind, {"epoch"}, {"MRR"}, std::move(series)};
}

inline Report sample_report() {
  return {"Ours <beside> the paper's & \"more\"",
          {Heading{"Results"}, Paragraph{"Run `orrery compare` again; 5 < 6 & so on."},
           Table{"Test split, percent",
                 {"model", "MRR"},
                 {{"TComplEx", "55.83 ± 0.12"}, {"<script>alert('x')</script>", "61.40"}},
                 {1}},
           Plot{"By epoch",
                Plot::Kind::line,
                {"epoch", true},
                {"MRR"},
                {{"a & b", {1, 10, 100}, {0.1, nan_value, 1.0 / 3}, {0.01, 0, 0.02}},
                 {"Ω", {1, 10}, {-infinite, infinite}}}},
           Plot{"", Plot::Kind::bars, {}, {"", true}, {{"", {0, 0.5, 1}, {3, 1e-7, 12345678.5}}}},
           plot_of(Plot::Kind::scatter, {{"points", {-0.0, 5e-324}, {1e300, -3}}})}};
}

}  // namespace orrery
