// A small plot for a terminal: bars that stand beside each other, drawn with characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// What a page of text may be made of.
struct TextForm {
  std::size_t columns = 80;  // its width
  bool blocks = false;       // block characters; else ASCII alone, for logs and simple terminals
  bool wraps = true;         // lines and tables are fitted; else only plots are, for pipes
};

// How many bars fit.
std::size_t bars_that_fit(const TextForm& form);

// Lines that end in '\n'. The largest value stands at the top of the axis, and the names of the
// first and the last bar below it. A bar above 0 is never drawn as nothing.
std::string bar_plot(const std::vector<double>& values, std::string_view first,
                     std::string_view last, const TextForm& form);

}  // namespace orrery
