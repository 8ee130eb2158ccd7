#include <fmt/format.h>

#include <algorithm>

#include "orrery/version.h"
#include "page/plot.h"
#include "page/report.h"
#include "page/report_check.h"
#include "page/report_style.h"
#include "page/report_text.h"

namespace orrery {
namespace {

constexpr std::size_t least_contents = 4;  // headings; fewer are found without a list

std::string figcaption(const std::string& caption) {
  return caption.empty() ? "" : "<figcaption>" + html_text(caption) + "</figcaption>\n";
}

// Wide tables scroll inside a box of their own, by keyboard too.
std::string rows_html(const Table& table, const std::string& name) {
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n"
      "<thead>\n<tr>",
      html_text(name.empty() ? "table" : name));
  for (const std::string& column : table.columns)
    html += "<th scope=\"col\">" + html_text(column) + "</th>";
  html += "</tr>\n</thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    html += std::ranges::count(table.bold_rows, r) > 0 ? "<tr class=\"bold\">" : "<tr>";
    for (std::size_t c = 0; c < table.rows[r].size(); ++c)
      html += fmt::format("<{}>{}</{}>", c == 0 ? "th scope=\"row\"" : "td",
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
    body_ += "<figure class=\"plot\">\n" + plot_legend(plot) + plot_svg(plot, ++plots_) +
             figcaption(plot.caption);
    if (!points.rows.empty())
      body_ += fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n",
                           points.caption.empty() ? "The numbers" : points.caption,
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
