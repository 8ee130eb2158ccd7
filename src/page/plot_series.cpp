#include "page/plot_series.h"

#include <fmt/format.h>

#include <cmath>

#include "page/plot_marks.h"

namespace orrery {
namespace {

constexpr std::size_t most_markers = 24;  // on one line; more of them would hide it
constexpr std::size_t most_bars = 40;     // of deviations; more of them become a band
constexpr std::size_t many_points = 200;  // in a cloud of smaller markers

struct Point {
  double x, y;            // on the drawing
  double low, high;       // ends of the error bar; NaN: none
  bool has_place, alone;  // alone: no line leads to it
};

double clamped_up(const PlotFrame& frame, double value) {
  // The lower end of an error bar may have no place on a logarithmic axis.
  return has_place(value, frame.y.logarithmic) ? frame.up(value) : frame.bottom;
}

Point place_point(const PlotFrame& frame, double x, double y, double deviation) {
  Point point{0, 0, NAN, NAN, false, false};
  point.has_place = has_place(x, frame.x.logarithmic) && has_place(y, frame.y.logarithmic);
  if (!point.has_place) return point;
  point.x = frame.across(x);
  point.y = frame.up(y);
  if (!has_place(deviation, false) || deviation <= 0) return point;
  point.low = clamped_up(frame, y - deviation);
  point.high = frame.up(y + deviation);
  return point;
}

std::vector<Point> points_of(const Series& series, const PlotFrame& frame) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < series.x.size(); ++i)
    points.push_back(place_point(frame, series.x[i], series.y[i], deviation_at(series, i)));
  const auto is_gap = [&](std::size_t i) { return i >= points.size() || !points[i].has_place; };
  for (std::size_t i = 0; i < points.size(); ++i) points[i].alone = is_gap(i - 1) && is_gap(i + 1);
  return points;
}

std::string path_of(std::string_view attributes, const std::string& commands) {
  return commands.empty() ? "" : fmt::format("<path {} d=\"{}\"/>\n", attributes, commands);
}

std::string error_bars(const std::vector<Point>& points) {
  constexpr double cap = 3.5;
  std::string commands;
  for (const Point& point : points) {
    if (std::isnan(point.low)) continue;
    commands += fmt::format("M{:.1f} {:.1f}V{:.1f}", point.x, point.low, point.high);
    for (const double end : {point.low, point.high})
      commands += fmt::format("M{:.1f} {:.1f}h{}", point.x - cap, end, 2 * cap);
  }
  return path_of("class=\"deviation\"", commands);
}

// Along the upper ends of each unbroken run, and back along the lower ones.
std::string error_band(const std::vector<Point>& points) {
  std::string commands;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end + 1) {
    for (end = begin; end < points.size() && !std::isnan(points[end].low); ++end)
      commands +=
          fmt::format("{}{:.1f} {:.1f}", end == begin ? 'M' : 'L', points[end].x, points[end].high);
    for (std::size_t i = end; i > begin; --i)
      commands += fmt::format("L{:.1f} {:.1f}", points[i - 1].x, points[i - 1].low);
    if (end > begin) commands += 'z';
  }
  return path_of("class=\"band\"", commands);
}

std::string deviations(const std::vector<Point>& points, bool on_line) {
  return on_line && points.size() > most_bars ? error_band(points) : error_bars(points);
}

std::string lines_between(const std::vector<Point>& points, std::string_view dash) {
  std::string commands;
  bool pen_up = true;
  for (const Point& point : points) {
    if (point.has_place && !point.alone)
      commands += fmt::format("{}{:.1f} {:.1f}", pen_up ? 'M' : 'L', point.x, point.y);
    pen_up = !point.has_place;
  }
  return path_of(fmt::format("class=\"line\" stroke-dasharray=\"{}\"", dash), commands);
}

std::string markers_at(const std::vector<Point>& points, std::size_t number, bool on_line) {
  const double gap = on_line && points.size() > most_markers ? plot_width / most_markers : 0;
  const double radius = on_line ? 3.6 : points.size() > many_points ? 2.2 : 3.2;
  std::string commands;
  double next = INFINITY;  // where the last marker stands; we come from the end of the line
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    if (!point->has_place || (std::abs(next - point->x) < gap && !point->alone)) continue;
    commands += marker_path(number, point->x, point->y, radius);
    next = point->x;
  }
  return path_of(on_line ? "class=\"marker\"" : "class=\"cloud\"", commands);
}

std::string histogram(const Plot& plot, std::size_t number, const PlotFrame& frame) {
  const double ground = plot.y.logarithmic ? frame.bottom : frame.up(0);
  std::string areas, outline;
  std::vector<Point> tops;
  double before = ground;  // where the outline has come to; gaps lead down to the ground
  for (const Bar& bar : bars_of(plot.series[number], plot.x.logarithmic)) {
    const double left = frame.across(bar.left), right = frame.across(bar.right);
    Point top = place_point(frame, bar.left, bar.height, bar.deviation);
    top.x = (left + right) / 2;
    if (!top.has_place) top.y = ground;
    if (top.has_place)
      areas +=
          fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}z", left, ground, top.y, right, ground);
    if (outline.empty()) outline = fmt::format("M{:.1f} {:.1f}", left, before);
    outline += fmt::format("L{:.1f} {:.1f}V{:.1f}H{:.1f}", left, before, top.y, right);
    before = top.y;
    tops.push_back(top);
  }
  if (!outline.empty()) outline += fmt::format("V{:.1f}", ground);
  // One histogram has separate bars; several lie over each other, told apart by their outlines.
  if (plot.series.size() == 1) return path_of("class=\"bars\"", areas) + error_bars(tops);
  return path_of("class=\"area\"", areas) +
         path_of(fmt::format("class=\"line\" stroke-dasharray=\"{}\"", dash_of(number)), outline) +
         error_bars(tops);
}

std::string marks_of(const Plot& plot, std::size_t number, const PlotFrame& frame) {
  if (plot.kind == Plot::Kind::bars) return histogram(plot, number, frame);
  const std::vector<Point> points = points_of(plot.series[number], frame);
  const bool on_line = plot.kind == Plot::Kind::line;
  return deviations(points, on_line) + (on_line ? lines_between(points, dash_of(number)) : "") +
         markers_at(points, number, on_line);
}

}  // namespace

std::string draw_series(const Plot& plot, std::size_t number, const PlotFrame& frame) {
  return fmt::format("<g class=\"series-{}\">\n{}</g>\n", number + 1,
                     marks_of(plot, number, frame));
}

std::string draw_sample(const Plot& plot, std::size_t number) {
  const std::string line = fmt::format("class=\"line\" stroke-dasharray=\"{}\"", dash_of(number));
  const std::string box = "M1 1H31V13H1z";
  std::string marks;
  switch (plot.kind) {
    case Plot::Kind::line:
      marks =
          path_of(line, "M0 7H32") + path_of("class=\"marker\"", marker_path(number, 16, 7, 3.6));
      break;
    case Plot::Kind::scatter:
      marks = path_of("class=\"cloud\"", marker_path(number, 16, 7, 3.6));
      break;
    case Plot::Kind::bars:
      marks = plot.series.size() == 1 ? path_of("class=\"bars\"", box)
                                      : path_of("class=\"area\"", box) + path_of(line, box);
      break;
  }
  return fmt::format(
      "<svg class=\"sample series-{}\" viewBox=\"0 0 32 14\" aria-hidden=\"true\">{}"
      "</svg>",
      number + 1, marks);
}

}  // namespace orrery
