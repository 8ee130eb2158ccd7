#include "page/plot_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "page/report_text.h"
#include "page/text_table.h"

namespace orrery {
namespace {

// Labels are reckoned as wide as on phones, where the page writes them larger.
constexpr double character_width = 10.6, edge = 10, line_height = 23;
constexpr int most_x_ticks = 8, most_y_ticks = 7;

double width_of(const Tick& tick) {
  return static_cast<double>(characters_of(tick.label)) * character_width;
}

struct Values {
  std::vector<double> x, y;
};

void collect(const Series& series, const Plot& plot, Values& values) {
  if (plot.kind == Plot::Kind::bars) {
    for (const Bar& bar : bars_of(series, plot.x.logarithmic)) {
      values.x.insert(values.x.end(), {bar.left, bar.right});
      values.y.insert(values.y.end(),
                      {bar.height, bar.height - bar.deviation, bar.height + bar.deviation});
    }
    return;
  }
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!has_place(series.x[i], plot.x.logarithmic) || !has_place(series.y[i], plot.y.logarithmic))
      continue;
    const double deviation = deviation_at(series, i);
    values.x.push_back(series.x[i]);
    values.y.insert(values.y.end(),
                    {series.y[i], series.y[i] - deviation, series.y[i] + deviation});
  }
}

bool stand_apart(const std::vector<Tick>& ticks, const Scale& scale, double room) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double distance = scale.place(ticks[i].value) - scale.place(ticks[i - 1].value);
    const double needed = (width_of(ticks[i]) + width_of(ticks[i - 1])) / 2 + character_width;
    if (distance * room < needed) return false;
  }
  return true;
}

// As many of the names as stand beside each other, in equal steps from the first.
std::vector<Tick> fitting_marks(const std::vector<Mark>& marks, const Scale& scale, double room) {
  std::vector<Tick> ticks;
  for (std::size_t step = 1; step <= marks.size(); ++step) {
    ticks.clear();
    for (std::size_t i = 0; i < marks.size(); i += step)
      ticks.push_back({marks[i].at, html_text(marks[i].text)});
    if (ticks.size() <= most_x_ticks && stand_apart(ticks, scale, room)) break;
  }
  return ticks;
}

// The few values that were tried, where they can be written: a reader asks for these. Else as many
// round ones as stand beside each other.
std::vector<Tick> fitting_ticks(const Plot& plot, const Scale& scale, std::vector<double> values,
                                double room) {
  if (!plot.x.marks.empty()) return fitting_marks(plot.x.marks, scale, room);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<Tick> ticks;
  if (plot.kind == Plot::Kind::line && values.size() <= most_x_ticks) ticks = ticks_at(values);
  if (!ticks.empty() && stand_apart(ticks, scale, room)) return ticks;
  for (int most = most_x_ticks; most > 0; --most) {
    ticks = ticks_of(scale, most);
    if (stand_apart(ticks, scale, room)) break;
  }
  return ticks;
}

}  // namespace

double deviation_at(const Series& series, std::size_t point) {
  return series.deviation.empty() ? std::numeric_limits<double>::quiet_NaN()
                                  : std::abs(series.deviation[point]);
}

std::vector<Bar> bars_of(const Series& series, bool logarithmic) {
  std::vector<std::size_t> order(series.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !has_place(series.x[i], logarithmic); });
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return series.x[i]; });
  std::vector<Bar> bars;
  for (const std::size_t i : order) {
    if (!bars.empty()) bars.back().right = series.x[i];
    bars.push_back({series.x[i], series.x[i], series.y[i], deviation_at(series, i)});
  }
  if (bars.empty()) return bars;
  Bar& last = bars.back();
  if (bars.size() == 1) {
    last.right = logarithmic ? 2 * last.left : last.left + 1;
  } else {
    const Bar& before = bars[bars.size() - 2];
    last.right = logarithmic ? last.left * (before.right / before.left)
                             : last.left + (before.right - before.left);
  }
  return bars;
}

PlotFrame frame_of(const Plot& plot) {
  Values values;
  for (const Series& series : plot.series) collect(series, plot, values);
  PlotFrame frame;
  frame.x = fit_scale(values.x, plot.x.logarithmic);
  frame.y = fit_scale(values.y, plot.y.logarithmic, plot.kind == Plot::Kind::bars);
  frame.y_ticks = ticks_of(frame.y, most_y_ticks);
  double widest = 0;
  for (const Tick& tick : frame.y_ticks) widest = std::max(widest, width_of(tick));
  frame.left = widest + 1.5 * edge;
  frame.top = edge + (plot.y.label.empty() ? 0 : line_height);
  frame.bottom = plot_height - line_height - edge / 2 - (plot.x.label.empty() ? 0 : line_height);
  frame.right = plot_width - edge;
  frame.x_ticks = fitting_ticks(plot, frame.x, values.x, frame.right - frame.left);
  // Half of the last label may stand out to the right.
  if (!frame.x_ticks.empty()) {
    const Tick& last = frame.x_ticks.back();
    const double over = frame.across(last.value) + width_of(last) / 2 - plot_width;
    if (over > 0) frame.right -= over;
  }
  return frame;
}

}  // namespace orrery
