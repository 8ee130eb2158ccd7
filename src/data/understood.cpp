#include "data/understood.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "facts/utf8.h"
#include "page/text_table.h"

namespace orrery {
namespace {

std::string kind_of(const ColumnsUnderstood& file) {
  if (file.kind != FileKind::table) return std::string(name_of(file.kind));
  return fmt::format("a table, {} between columns, {}, {}", file.separator, file.encoding,
                     file.header ? "with a header" : "without a header");
}

// "subject: source, relation: type, …; ignored: id, note"
std::string columns_of(const ColumnsUnderstood& file) {
  std::vector<std::string> columns;
  for (const Role role : all_roles)
    if (const std::string& column = file.column[index_of(role)]; !column.empty())
      columns.push_back(fmt::format("{}: {}", name_of(role), printable(column)));
  std::string sentence = fmt::format("{}", fmt::join(columns, ", "));
  if (file.ignored.empty()) return sentence;
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> ignored;
  for (const std::string& title : file.ignored) {
    if (ignored.size() == most_shown) break;
    ignored.push_back(printable(title));
  }
  const std::size_t more = file.ignored.size() - ignored.size();
  return fmt::format("{}; ignored: {}{}", sentence, fmt::join(ignored, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string dates_of(const DatesUnderstood& dates) {
  std::string sentence = fmt::format("{} … {}, from {}", dates.first, dates.last, dates.forms);
  const auto add = [&](std::uint64_t facts, const char* what) {
    if (facts > 0)
      sentence += fmt::format("; {} {} {}", grouped(facts), facts == 1 ? "fact" : "facts", what);
  };
  add(dates.open, "with an open side");
  add(dates.undated, "without a date, valid always");
  add(dates.coarser, "with a coarser date, valid in all of its period");
  add(dates.not_known_then, "left out, not known as of the date asked for");
  return sentence;
}

}  // namespace

std::vector<Understood> understood_of(const LoadReport& report) {
  std::vector<Understood> understood;
  const auto add = [&](std::string about, std::string sentence) {
    if (understood.empty() || sentence != understood.back().sentence)
      understood.push_back({std::move(about), std::move(sentence)});
  };
  for (const LoadReport::FileRead& file : report.files)
    add("file", fmt::format("{}: {}", printable(file.file), kind_of(file.understood)));
  for (const LoadReport::FileRead& file : report.files)
    if (!file.understood.column[index_of(Role::subject)].empty())
      add("columns", columns_of(file.understood));
  if (!report.dates.first.empty()) add("dates", dates_of(report.dates));
  if (report.dates.first.empty() && report.dates.undated > 0)
    add("dates", "none; all facts are valid always, which is one time");
  if (!report.dates.reason.empty()) add("granularity", report.dates.reason);
  if (!report.split.empty()) add("split", fmt::format("{}, since none was named", report.split));
  return understood;
}

}  // namespace orrery
