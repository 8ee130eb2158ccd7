#include "paper/report_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "page/text_table.h"
#include "paper/reproduce.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

std::string read_text(const std::filesystem::path& path) {
  return std::string(MappedFile(path).text());
}

// A saved report may be anyone's: nothing of it may speak to the terminal.
std::vector<std::string> printable_cells(const std::vector<std::string>& row) {
  std::vector<std::string> cells;
  for (const std::string& cell : row) cells.push_back(printable(cell));
  return cells;
}

std::string plain(const Heading& heading) { return printable(heading.text) + "\n"; }
std::string plain(const Paragraph& paragraph) { return printable(paragraph.text) + "\n"; }
std::string plain(const Table& table) {
  TextTable text(printable_cells(table.columns));
  for (const auto& row : table.rows) text.add(printable_cells(row));
  return (table.caption.empty() ? "" : printable(table.caption) + "\n\n") + text.text();
}
std::string plain(const Plot& plot) {
  return fmt::format("(a plot, in the other forms of this report: {})\n", printable(plot.caption));
}

// The n-th table of a report, from 1.
Report only_table(const Report& report, std::size_t number, const Place& place) {
  std::size_t seen = 0;
  for (const Block& block : report.blocks)
    if (std::holds_alternative<Table>(block) && ++seen == number) return {"", {block}};
  fail_request(About{.place = place}, "asks for table {} of a report that has {}", number, seen);
}

struct Mark {
  std::string json;
  std::size_t table = 0;  // 0: the whole report
};

std::optional<Mark> mark_in(const std::string& line, const Place& place) {
  if (!line.starts_with("<!-- results/")) return {};
  static const std::regex form(R"(<!-- (results/\S+\.json)(?: table ([1-9][0-9]{0,5}))? -->\s*)");
  std::smatch found;
  if (!std::regex_match(line, found, form))
    fail_request(
        About{.place = place,
              .advice = "write <!-- results/NAME.json --> or <!-- results/NAME.json table 2 -->"},
        "is not a mark");
  Mark mark{found[1], 0};
  if (found[2].matched) mark.table = std::stoul(found[2]);
  return mark;
}

bool is_end(const std::string& line) { return line.starts_with("<!-- end -->"); }

std::string marked_part(const Mark& mark, const Place& place, const std::filesystem::path& root) {
  if (!path_exists(root / mark.json))
    fail_request(
        About{
            .option = "root", .place = place, .advice = worded("$root names the folder it is in")},
        "names {}, which is not in {}", mark.json, root.string());
  const Report report = read_report(root / mark.json);
  return report_markdown(mark.table == 0 ? report : only_table(report, mark.table, place));
}

}  // namespace

Report read_report(const std::filesystem::path& file) {
  const auto json = Json::parse(read_text(file), nullptr, false);
  const About about{.place = {file.string()}};
  if (json.is_discarded()) fail_request(about, "is not JSON");
  if (!json.is_object() || !(json.contains("report") || json.contains("blocks")))
    fail_request(about, "is not a report of `orrery reproduce` or `orrery sweep`");
  try {
    return report_from_json(json.contains("report") ? json["report"] : json);
  } catch (const Error& error) {
    throw error.at(about.place);
  }
}

std::string report_plain_text(const Report& report) {
  std::string text = printable(report.title) + "\n";
  for (const Block& block : report.blocks)
    text.append("\n").append(std::visit([](const auto& b) { return plain(b); }, block));
  return text;
}

std::string with_tables(std::string_view markdown, const std::string& file,
                        const std::filesystem::path& root) {
  std::string text;
  std::optional<Place> open;  // of a mark whose end is still to come
  bool any = false;
  std::uint64_t number = 0;
  while (!markdown.empty()) {
    const auto end = std::min(markdown.find('\n'), markdown.size() - 1) + 1;
    const std::string line(markdown.substr(0, end));
    markdown.remove_prefix(end);
    const Place place(file, ++number);
    const auto mark = mark_in(line, place);
    if (mark && open)
      fail_request(About{.place = place}, "begins before that of line {} has ended", open->line);
    if (is_end(line) && !open)
      fail_request(About{.place = place}, "has no <!-- results/NAME.json --> before it");
    if (is_end(line)) open.reset();
    if (!open) text += line;
    if (!mark) continue;
    text.append("\n").append(marked_part(*mark, place, root)).append("\n");
    open = place;
    any = true;
  }
  if (open) fail_request(About{.place = *open}, "has no <!-- end -->");
  if (!any)
    fail_request(About{.place = {file},
                       .advice = "write <!-- results/NAME.json --> above and <!-- end --> below "
                                 "the place of one"},
                 "marks no table");
  return text;
}

std::string show_report(const std::filesystem::path& file, PageFormat format) {
  const Report report = read_report(file);
  switch (format) {
    case PageFormat::html:
      return report_html(report);
    case PageFormat::text:
      return report_plain_text(report);
    default:
      return report_markdown(report);
  }
}

bool rewrite_tables(const std::filesystem::path& markdown, const std::filesystem::path& root) {
  const std::string before = read_text(markdown);
  const std::string after = with_tables(before, markdown.string(), root);
  if (after != before) write_file_atomically(markdown, after);
  return after != before;
}

}  // namespace orrery
