#include "page/bar_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "page/text_table.h"
#include "page/text_width.h"

namespace orrery {
namespace {

constexpr std::size_t lines = 6, left_margin = 12, widest_plot = 100, widest_bar = 6;
constexpr std::size_t eighths = 8;
constexpr std::array<const char*, eighths + 1> block_of = {" ", "▁", "▂", "▃", "▄",
                                                           "▅", "▆", "▇", "█"};

// How much of the plot's height a bar takes, in parts of a line.
std::size_t height_of(double value, double largest, std::size_t parts) {
  if (!(value > 0) || !(largest > 0)) return 0;
  const double height = value / largest * static_cast<double>(lines * parts);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::llround(height)), 1, lines * parts);
}

std::string axis_label(double value) {
  const std::string text = grouped(static_cast<std::uint64_t>(std::max(0.0, value)));
  return std::string(left_margin - 2 - std::min(left_margin - 2, text.size()), ' ') + text;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

std::size_t bars_that_fit(const TextForm& form) {
  const std::size_t width = std::min(form.columns, widest_plot);
  return width > left_margin + 1 ? width - left_margin - 1 : 1;
}

std::string bar_plot(const std::vector<double>& values, std::string_view first,
                     std::string_view last, const TextForm& form) {
  if (values.empty()) return {};
  const std::size_t bars = std::min(values.size(), bars_that_fit(form));
  const std::size_t wide = std::clamp<std::size_t>(bars_that_fit(form) / bars, 1, widest_bar);
  const std::size_t parts = form.blocks ? eighths : 1;
  const double largest = std::ranges::max(values);
  const std::string blank(left_margin - 2, ' ');
  std::string text;
  for (std::size_t line = lines; line-- > 0;) {
    text += line + 1 == lines ? axis_label(largest) : blank;
    text += form.blocks ? " │" : " |";
    std::string row;
    for (std::size_t i = 0; i < bars; ++i) {
      const std::size_t height = height_of(values[i], largest, parts), below = line * parts;
      const std::size_t here = height > below ? std::min(height - below, parts) : 0;
      // Wide bars leave a gap between them.
      const std::size_t drawn = wide > 2 ? wide - 1 : wide;
      row += repeated(form.blocks ? block_of[here]
                      : here > 0  ? "#"
                                  : " ",
                      drawn) +
             std::string(wide - drawn, ' ');
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  const std::size_t width = bars * wide;
  text += axis_label(0) + (form.blocks ? " └" + repeated("─", width) : " +" + repeated("-", width));
  text += '\n' + std::string(left_margin, ' ');
  const std::size_t names = columns_of(first) + columns_of(last) + 2;
  text += first;
  if (bars > 1 && first != last)
    text += std::string(names < width + 2 ? width + 2 - names : 2, ' ') + std::string(last);
  return text + '\n';
}

}  // namespace orrery
