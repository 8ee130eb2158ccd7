// A report as data: headings, paragraphs, tables and plots in the order of reading. JSON is its
// complete form, from which Markdown and a self-contained HTML page are made at any time.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace orrery {

struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;  // may hold `code` in backticks
};

struct Table {
  std::string caption;  // may be empty
  // The first is flush left, the others are flush right; on an HTML page those of words are not.
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> bold_rows = {};  // those that a reader should find first
};

// A name for a place on an axis, where a number would say nothing.
struct Mark {
  double at = 0;
  std::string text;
};

struct Axis {
  std::string label;
  bool logarithmic = false;
  std::vector<Mark> marks = {};  // upwards; empty: round numbers are marked
};

struct Series {
  std::string name;
  std::vector<double> x, y;
  std::vector<double> deviation = {};  // of y; empty: none is drawn
};

struct Plot {
  enum class Kind { line, bars, scatter };
  std::string caption;
  Kind kind = Kind::line;  // bars: a histogram, x is the left edge of each bar
  Axis x, y;
  std::vector<Series> series;  // at most most_series
};

constexpr std::size_t most_series = 6;  // as many colours, dashes and markers as stay distinct

using Block = std::variant<Heading, Paragraph, Table, Plot>;

struct Report {
  std::string title;
  std::vector<Block> blocks;
};

nlohmann::ordered_json report_json(const Report& report);
Report report_from_json(const nlohmann::ordered_json& json);  // a broken one is an Error

// Plots become tables of their points.
std::string report_markdown(const Report& report);
// One page with its style and plots inside: no network, light and dark, phone and print.
std::string report_html(const Report& report);

}  // namespace orrery
