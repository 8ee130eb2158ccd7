#include <algorithm>

#include "page/plot.h"
#include "page/report.h"
#include "page/report_check.h"
#include "page/report_text.h"
#include "page/text_table.h"

namespace orrery {
namespace {

std::string bold(const std::string& text) { return text.empty() ? text : "**" + text + "**"; }

std::string caption_markdown(const std::string& caption, const std::string& note) {
  std::string line = markdown_text(caption);
  if (!line.empty()) line = "*" + line + "*";
  if (!note.empty()) line += (line.empty() ? "(" : " (") + markdown_text(note) + ")";
  return line.empty() ? line : line + "\n\n";
}

std::string rows_markdown(const Table& table) {
  std::vector<std::string> head;
  for (const std::string& name : table.columns) head.push_back(markdown_text(name));
  TextTable text(std::move(head));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const bool stressed = std::ranges::count(table.bold_rows, r) > 0;
    std::vector<std::string> cells;
    for (const std::string& cell : table.rows[r])
      cells.push_back(stressed ? bold(markdown_text(cell)) : markdown_text(cell));
    text.add(std::move(cells));
  }
  return text.markdown();
}

std::string block_markdown(const Heading& heading) {
  return "## " + markdown_text(heading.text) + "\n";
}

std::string block_markdown(const Paragraph& paragraph) {
  return markdown_paragraph(paragraph.text) + "\n";
}

std::string block_markdown(const Table& table) {
  return caption_markdown(table.caption, "") + rows_markdown(table);
}

std::string block_markdown(const Plot& plot) {
  const Table points = points_table(plot);
  // With several series the columns bear their names, and nothing else says what is measured.
  std::string note = plot.series.size() > 1 && plot.kind != Plot::Kind::scatter ? plot.y.label : "";
  if (!points.caption.empty()) note += (note.empty() ? "" : "; ") + points.caption;
  return caption_markdown(plot.caption, note) + rows_markdown(points);
}

}  // namespace

std::string report_markdown(const Report& report) {
  check_report(report);
  std::string page = report.title.empty() ? "" : "# " + markdown_text(report.title) + "\n";
  for (const Block& block : report.blocks) {
    if (!page.empty()) page += '\n';
    page += std::visit([](const auto& one) { return block_markdown(one); }, block);
  }
  return page;
}

}  // namespace orrery
