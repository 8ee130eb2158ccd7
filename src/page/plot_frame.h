// The measures of a plot: where its numbers lie on the drawing, and what is marked on its axes.
#pragma once

#include <vector>

#include "page/report.h"
#include "page/ticks.h"

namespace orrery {

// The drawing's own units; the page scales it to its width.
constexpr double plot_width = 540, plot_height = 330;

struct Bar {
  double left, right, height, deviation;  // NaN: no deviation
};

struct PlotFrame {
  Scale x, y;
  std::vector<Tick> x_ticks, y_ticks;
  double left = 0, right = plot_width, top = 0, bottom = plot_height;

  double across(double value) const { return left + x.place(value) * (right - left); }
  double up(double value) const { return bottom - y.place(value) * (bottom - top); }
};

PlotFrame frame_of(const Plot& plot);

// A histogram's bars from left to right; the last is as wide as the one before.
std::vector<Bar> bars_of(const Series& series, bool logarithmic);

double deviation_at(const Series& series, std::size_t point);  // NaN: none

}  // namespace orrery
