#include "facts/table_form.h"

#include <algorithm>
#include <map>
#include <utility>

#include "facts/memory_source.h"

namespace orrery {
namespace {

constexpr std::size_t sampled_rows = 20;
constexpr std::size_t fewest_columns = 3;  // of facts without a time

struct Sample {
  std::vector<std::string> first;  // the fields of the first row
  std::size_t alike = 0;           // rows that have the most usual number of columns
};

Sample sample_of(std::string_view text, TableForm form) {
  auto reader = read_table(LineReader(std::make_unique<MemorySource>(std::string(text)), ""), form);
  Sample sample;
  std::map<std::size_t, std::size_t> rows_of_count;
  Record record;
  for (std::size_t rows = 0; rows < sampled_rows && reader->next(record);) {
    if (record.blank()) continue;
    ++rows;
    if (record.problem != nullptr) continue;
    if (sample.first.empty()) sample.first.assign(record.fields.begin(), record.fields.end());
    if (record.count >= fewest_columns)
      sample.alike = std::max(sample.alike, ++rows_of_count[record.count]);
  }
  return sample;
}

// Some programs put every field of a TAB table in quotes. Names with quotes of their own do not
// make a date in quotes.
bool all_quoted(const std::vector<std::string>& fields) {
  return fields.size() >= fewest_columns &&
         std::all_of(fields.begin(), fields.end(), [](const std::string& field) {
           return field.size() >= 2 && field.front() == '"' && field.back() == '"';
         });
}

}  // namespace

TableForm table_form(std::string_view head, bool whole, std::string_view ending,
                     const ColumnRequest& request) {
  constexpr std::size_t enough_titles = 3;
  // The last line may be cut in two.
  const std::string_view lines = whole ? head : head.substr(0, head.rfind('\n') + 1);
  if (is_separator_line(lines.substr(0, lines.find_first_of("\r\n")))) return {lines[4], true};
  const std::string_view separators = ending == ".csv" ? ",;\t|" : "\t,;|";
  TableForm best = {separators.front(), separators.front() != '\t'};
  std::size_t most = 0;
  for (const char separator : separators) {
    TableForm form = {separator, separator != '\t'};
    Sample sample = sample_of(lines, form);
    if (separator == '\t' && all_quoted(sample.first)) {
      form.quotes = true;
      sample = sample_of(lines, form);
    }
    if (sample.alike > 0 &&
        (known_titles(sample.first) >= enough_titles || has_requested_title(sample.first, request)))
      return form;
    if (sample.alike > most) {
      best = form;
      most = sample.alike;
    }
  }
  return best;
}

std::vector<std::string> first_row(std::string_view head, TableForm form) {
  const std::size_t end = head.find('\n');
  return sample_of(end == std::string_view::npos ? head : head.substr(0, end + 1), form).first;
}

bool is_separator_line(std::string_view line) {
  return line.size() == 5 && line.starts_with("sep=") &&
         std::string_view(",;\t|").find(line[4]) != std::string_view::npos;
}

std::string_view name_of_separator(char separator) {
  switch (separator) {
    case '\t':
      return "TAB";
    case ',':
      return "comma";
    case ';':
      return "semicolon";
    default:
      return "vertical bar";
  }
}

}  // namespace orrery
