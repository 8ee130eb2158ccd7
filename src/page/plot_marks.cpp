#include "page/plot_marks.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "page/report.h"

namespace orrery {
namespace {

struct Corner {
  double x, y;
};

// Corners for a radius of one, of about the same area. A circle has none.
constexpr std::array<Corner, 4> square = {{{-.88, -.88}, {.88, -.88}, {.88, .88}, {-.88, .88}}};
constexpr std::array<Corner, 3> triangle = {{{0, -1.3}, {1.2, .85}, {-1.2, .85}}};
constexpr std::array<Corner, 4> diamond = {{{0, -1.35}, {1.15, 0}, {0, 1.35}, {-1.15, 0}}};
constexpr std::array<Corner, 3> falling = {{{0, 1.3}, {1.2, -.85}, {-1.2, -.85}}};
constexpr std::array<Corner, 12> cross = {{{-1.2, -.7},
                                           {-.7, -1.2},
                                           {0, -.5},
                                           {.7, -1.2},
                                           {1.2, -.7},
                                           {.5, 0},
                                           {1.2, .7},
                                           {.7, 1.2},
                                           {0, .5},
                                           {-.7, 1.2},
                                           {-1.2, .7},
                                           {-.5, 0}}};
constexpr std::array<std::span<const Corner>, most_series> markers = {{
    {},
    square,
    triangle,
    diamond,
    falling,
    cross,
}};
constexpr std::array<std::string_view, most_series> dashes = {"none",    "7 3",  "2 2.5",
                                                              "9 3 2 3", "11 4", "5 2 1 2 1 2"};

}  // namespace

std::string marker_path(std::size_t series, double x, double y, double radius) {
  if (markers[series].empty())
    return fmt::format("M{:.1f} {:.1f}a{} {} 0 1 0 {} 0a{} {} 0 1 0 -{} 0z", x - radius, y, radius,
                       radius, 2 * radius, radius, radius, 2 * radius);
  std::string path;
  for (const Corner& corner : markers[series])
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', x + radius * corner.x,
                        y + radius * corner.y);
  return path + "z";
}

std::string_view dash_of(std::size_t series) { return dashes[series]; }

}  // namespace orrery
