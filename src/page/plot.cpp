#include "page/plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "page/plot_frame.h"
#include "page/plot_series.h"
#include "page/report_text.h"
#include "page/text_table.h"

namespace orrery {
namespace {

constexpr std::size_t longest_label = 56;  // what fits on one line, on phones too

std::string fitting_label(const std::string& label) {
  std::string text = valid_utf8(label);
  if (characters_of(text) <= longest_label) return html_text(text);
  while (characters_of(text) >= longest_label) text.pop_back();
  return html_text(text) + "…";
}

std::string name_of(Plot::Kind kind) {
  switch (kind) {
    case Plot::Kind::line:
      return "Line plot";
    case Plot::Kind::bars:
      return "Histogram";
    case Plot::Kind::scatter:
      return "Scatter plot";
  }
  return {};
}

std::string shown_name(const Plot& plot, std::size_t series) {
  const std::string& name = plot.series[series].name;
  return name.empty() ? fmt::format("series {}", series + 1) : name;
}

bool has_points(const Plot& plot) {
  return std::ranges::any_of(plot.series, [&](const Series& series) {
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (has_place(series.x[i], plot.x.logarithmic) && has_place(series.y[i], plot.y.logarithmic))
        return true;
    return false;
  });
}

std::string description_of(const Plot& plot) {
  const auto name = [](const Axis& axis, const char* otherwise) {
    return (axis.label.empty() ? otherwise : axis.label) +
           (axis.logarithmic ? " (logarithmic)" : "");
  };
  std::string text =
      fmt::format("{} of {} by {}", name_of(plot.kind), name(plot.y, "y"), name(plot.x, "x"));
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    text += fmt::format("; {}: {} points", shown_name(plot, i), plot.series[i].x.size());
  return html_text(text + ".");
}

std::string axes(const Plot& plot, const PlotFrame& frame) {
  std::string svg = "<g class=\"axes\">\n";
  for (const Tick& tick : frame.y_ticks) {
    const double y = frame.up(tick.value);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" dy=\".35em\" text-anchor=\"end\">{}</text>\n",
        frame.left, y, frame.right, frame.left - 8, y, tick.label);
  }
  for (const Tick& tick : frame.x_ticks) {
    const double x = frame.across(tick.value);
    const bool full = plot.kind == Plot::Kind::scatter;
    svg += fmt::format(
        "<path class=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" dy=\"1em\" text-anchor=\"middle\">{}</text>\n",
        full ? "grid" : "tick", x, frame.bottom + 5, full ? frame.top : frame.bottom, x,
        frame.bottom + 6, tick.label);
  }
  if (!plot.y.label.empty())
    svg += fmt::format("<text class=\"label\" x=\"0\" y=\"16\">{}</text>\n",
                       fitting_label(plot.y.label));
  if (!plot.x.label.empty())
    svg += fmt::format(
        "<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}"
        "</text>\n",
        frame.right, plot_height - 4, fitting_label(plot.x.label));
  return svg + "</g>\n";
}

std::string ground(const Plot& plot, const PlotFrame& frame) {
  const auto level = [&](double y) {
    return fmt::format("<path class=\"tick\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", frame.left, y,
                       frame.right);
  };
  const bool bars_hang = plot.kind == Plot::Kind::bars && !plot.y.logarithmic && frame.y.low < 0;
  return level(frame.bottom) + (bars_hang ? level(frame.up(0)) : "");
}

}  // namespace

std::string plot_svg(const Plot& plot, std::size_t number) {
  const PlotFrame frame = frame_of(plot);
  std::string svg = fmt::format(
      "<svg class=\"drawing\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-labelledby=\"plot-{}-title plot-{}-desc\">\n"
      "<title id=\"plot-{}-title\">{}</title>\n<desc id=\"plot-{}-desc\">{}</desc>\n",
      plot_width, plot_height, number, number, number,
      html_text(plot.caption.empty() ? name_of(plot.kind) : plot.caption), number,
      description_of(plot));
  svg += axes(plot, frame);
  // Bars stand on it; lines and points near it lie above.
  const bool ground_last = plot.kind == Plot::Kind::bars;
  if (!ground_last) svg += ground(plot, frame);
  for (std::size_t i = 0; i < plot.series.size(); ++i) svg += draw_series(plot, i, frame);
  if (ground_last) svg += ground(plot, frame);
  if (!has_points(plot))
    svg += fmt::format(
        "<text class=\"empty\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">"
        "no points to draw</text>\n",
        (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2);
  return svg + "</svg>\n";
}

std::string plot_legend(const Plot& plot) {
  const auto is_said = [&](const std::string& name) {
    return name.empty() || name == plot.caption;
  };
  const bool nothing_to_tell =
      plot.series.empty() || (plot.series.size() == 1 && is_said(plot.series.front().name));
  if (nothing_to_tell) return {};
  std::string list = "<ul class=\"legend\">\n";
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    list += fmt::format("<li>{}{}</li>\n", draw_sample(plot, i), html_text(shown_name(plot, i)));
  return list + "</ul>\n";
}

}  // namespace orrery
