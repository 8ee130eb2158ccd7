#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "orrery/version.h"
#include "page/plot.h"
#include "page/report.h"
#include "page/report_check.h"
#include "page/report_style.h"
#include "page/report_text.h"
#include "page/text_table.h"

namespace orrery {
namespace {

constexpr std::size_t least_contents = 4;  // headings; fewer are found without a list
constexpr std::size_t longest_line = 28;   // characters of a cell; longer ones are folded
constexpr std::size_t longest_head = 15;   // of a column of numbers, in one line
constexpr std::size_t paper_width = 92;    // characters of a table's row on A4 …
constexpr std::size_t small_width = 118;   // … and in smaller type

std::string figcaption(const std::string& caption) {
  return caption.empty() ? "" : "<figcaption>" + html_text(caption) + "</figcaption>\n";
}

std::size_t longest_cell(const Table& table, std::size_t column) {
  std::size_t longest = 0;
  for (const auto& row : table.rows) longest = std::max(longest, characters_of(row[column]));
  return longest;
}

// Words, and no numbers: they are read from the left, where numbers are compared from the right.
bool holds_words(const Table& table, std::size_t column) {
  bool words = false;
  for (const auto& row : table.rows) {
    const auto first = std::ranges::find_if(
        row[column], [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; });
    if (first == row[column].end()) continue;
    if (*first >= '0' && *first <= '9') return false;
    words = true;
  }
  return words;
}

std::string class_of_column(const Table& table, std::size_t column) {
  if (longest_cell(table, column) > longest_line) return " class=\"folded\"";
  return column > 0 && holds_words(table, column) ? " class=\"words\"" : "";
}

// A browser would break the name of an option after its dash.
std::string head_text(const std::string& head) {
  const bool one_word = head.find(' ') == head.npos && head.find('-') != head.npos;
  return one_word ? "<span>" + html_text(head) + "</span>" : html_text(head);
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    longest = std::max(longest, characters_of(word));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return longest;
}

// Paper does not scroll: a wide table is printed smaller, and of the widest all cells are folded.
std::string class_of_table(const Table& table) {
  constexpr std::size_t gap = 2;
  std::size_t width = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    width += gap + std::max(std::min(longest_cell(table, c), longest_line),
                            longest_word(table.columns[c]));
  if (width <= paper_width) return {};
  return width <= small_width ? " class=\"wide\"" : " class=\"wide widest\"";
}

// Wide tables scroll inside a box of their own, by keyboard too.
std::string rows_html(const Table& table, const std::string& name) {
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table{}>\n"
      "<thead>\n<tr>",
      html_text(name.empty() ? "table" : name), class_of_table(table));
  std::vector<std::string> classes;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    classes.push_back(class_of_column(table, c));
    const bool over_numbers = c > 0 && classes[c].empty();
    const bool is_long = over_numbers && characters_of(table.columns[c]) > longest_head;
    html += fmt::format("<th scope=\"col\"{}>{}</th>", is_long ? " class=\"tall\"" : classes[c],
                        head_text(table.columns[c]));
  }
  html += "</tr>\n</thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    html += std::ranges::count(table.bold_rows, r) > 0 ? "<tr class=\"bold\">" : "<tr>";
    for (std::size_t c = 0; c < table.rows[r].size(); ++c)
      html += fmt::format("<{}{}>{}</{}>", c == 0 ? "th scope=\"row\"" : "td", classes[c],
                          html_text(table.rows[r][c]), c == 0 ? "th" : "td");
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

class Page {
 public:
  void add(const Heading& heading) {
    body_ += fmt::format("<h2 id=\"section-{}\">{}</h2>\n", ++headings_, html_text(heading.text));
  }

  void add(const Paragraph& paragraph) {
    body_ += "<p>" + html_paragraph(paragraph.text) + "</p>\n";
  }

  void add(const Table& table) {
    body_ += "<figure class=\"table\">\n" + figcaption(table.caption) +
             rows_html(table, table.caption) + "</figure>\n";
  }

  void add(const Plot& plot) {
    const Table points = points_table(plot);
    body_ += "<figure class=\"plot\">\n" + figcaption(plot.caption) + plot_legend(plot) +
             plot_svg(plot, ++plots_);
    if (!points.rows.empty())
      body_ +=
          fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n",
                      points.caption.empty() ? "The numbers" : "The numbers of " + points.caption,
                      rows_html(points, "points of the plot"));
    body_ += "</figure>\n";
  }

  const std::string& body() const { return body_; }

 private:
  std::string body_;
  int headings_ = 0;
  std::size_t plots_ = 0;
};

std::string contents(const Report& report) {
  std::string list;
  std::size_t count = 0;
  for (const Block& block : report.blocks)
    if (const auto* heading = std::get_if<Heading>(&block))
      list += fmt::format("<li><a href=\"#section-{}\">{}</a></li>\n", ++count,
                          html_text(heading->text));
  if (count < least_contents) return {};
  return "<nav aria-label=\"Contents\">\n<ol>\n" + list + "</ol>\n</nav>\n";
}

}  // namespace

std::string report_html(const Report& report) {
  check_report(report);
  Page page;
  for (const Block& block : report.blocks)
    std::visit([&](const auto& one) { page.add(one); }, block);
  const std::string title = html_text(report.title.empty() ? "Report" : report.title);
  // The policy holds the page to its promise: it loads nothing.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"Orrery {}\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n{}{}"
      "</main>\n</body>\n</html>\n",
      version(), title, report_style, title, contents(report), page.body());
}

}  // namespace orrery
