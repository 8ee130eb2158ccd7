#include "facts/fact_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "facts/date.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

constexpr std::size_t first_time_column = 3;

bool has_fact_columns(const Record& record) {
  return record.problem == nullptr && (record.count == 4 || record.count == 5);
}

std::span<const std::string_view> times_of(const Record& record) {
  return std::span(record.fields).subspan(first_time_column, record.count - first_time_column);
}

// No date, and no damaged date either: those are bad lines, not headers.
bool is_title(std::string_view text) {
  if (parse_date(text).kind != ParsedDate::Kind::bad) return false;
  const char first = text.front();
  return first != '-' && first != '#' && (first < '0' || first > '9');
}

// Which of subject, relation, object, start, end a column of this title holds.
std::optional<std::size_t> meaning_of(std::string_view title) {
  static constexpr std::pair<std::string_view, std::size_t> titles[] = {
      {"subject", 0}, {"head", 0},       {"s", 0},         {"relation", 1}, {"predicate", 1},
      {"p", 1},       {"r", 1},          {"object", 2},    {"tail", 2},     {"o", 2},
      {"time", 3},    {"date", 3},       {"timestamp", 3}, {"year", 3},     {"when", 3},
      {"start", 3},   {"valid_from", 3}, {"from", 3},      {"end", 4},      {"valid_to", 4},
      {"to", 4}};
  std::string lower(title);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& [known, meaning] : titles) {
    if (lower == known) return meaning;
  }
  return std::nullopt;
}

// A single letter is a likely name as well: it takes two of them.
bool has_known_title(const Record& record) {
  std::size_t letters = 0;
  for (const std::string_view field : std::span(record.fields).first(record.count)) {
    if (meaning_of(field) && (field.size() > 1 || ++letters == 2)) return true;
  }
  return false;
}

std::unique_ptr<RecordReader> open_records(const std::filesystem::path& path) {
  LineReader lines(open_bytes(path), path.string());
  return read_table(std::move(lines),
                    facts_file_name(path).csv ? TableForm{',', true} : TableForm{'\t', false});
}

}  // namespace

FactReader::FactReader(const std::filesystem::path& path, ColumnCount& shared_columns)
    : FactReader(open_records(path), path.string(), shared_columns) {}

FactReader::FactReader(std::unique_ptr<RecordReader> records, std::string name,
                       ColumnCount& shared_columns)
    : records_(std::move(records)), name_(std::move(name)), columns_(shared_columns) {}

FactReader::Outcome FactReader::next() {
  if (!header_read_) {
    header_read_ = true;
    read_header();
  }
  if (!held_ && !read_record()) return Outcome::end;
  // Empty lines at the end of a file are none of its lines; before a fact they are.
  if (blanks_ > 0) {
    held_ = true;
    --blanks_;
    return bad(blank_line_++, "the line is empty");
  }
  held_ = false;
  if (std::exchange(untitled_, false)) {
    return bad(record_.line, fmt::format("{} is no date, and the line is no header either: of a "
                                         "header at least one column is titled subject, relation, "
                                         "object, time, date, start, end, valid_from or valid_to",
                                         shown(times_of(record_).front())));
  }
  return deliver();
}

// The next line that is not empty; the empty ones before it are counted.
bool FactReader::read_record() {
  while (records_->next(record_)) {
    if (!record_.blank()) return true;
    if (blanks_++ == 0) blank_line_ = record_.line;
  }
  return false;
}

// A first line without dates is a header if a title is known, and else a bad line: facts must not
// be lost without a word.
void FactReader::read_header() {
  held_ = read_record();
  if (!held_ || !has_fact_columns(record_)) return;
  if (columns_.columns == 0) {
    columns_ = {record_.count, fmt::format("{}:{}", name_, record_.line)};
  }
  if (record_.count != columns_.columns) return;
  if (take_order_from(record_)) {
    held_ = false;
    return;
  }
  const auto times = times_of(record_);
  if (!std::all_of(times.begin(), times.end(), is_title)) return;
  held_ = untitled_ = !has_known_title(record_);
}

// True, and the order taken, when the titles name every column exactly once.
bool FactReader::take_order_from(const Record& names) {
  std::array<std::size_t, 5> order = {};
  std::size_t seen = 0;
  for (std::size_t i = 0; i < names.count; ++i) {
    const auto meaning = meaning_of(names.fields[i]);
    if (!meaning) return false;
    order[*meaning] = i;
    seen |= std::size_t{1} << *meaning;
  }
  if (seen != (std::size_t{1} << names.count) - 1) return false;
  order_ = order;
  return true;
}

FactReader::Outcome FactReader::deliver() {
  if (record_.problem != nullptr) return bad(record_.line, record_.problem);
  if (columns_.columns == 0 && has_fact_columns(record_)) {
    columns_ = {record_.count, fmt::format("{}:{}", name_, record_.line)};
  }
  if (columns_.columns == 0) {
    return bad(record_.line,
               fmt::format("{} columns where 4 (subject, relation, object, time) or 5 (…, start, "
                           "end) are expected; TAB separates columns, in .csv files a comma",
                           record_.count));
  }
  if (record_.count != columns_.columns) {
    return bad(record_.line, fmt::format("{} columns where {} are expected, as in {}",
                                         record_.count, columns_.columns, columns_.decided_by));
  }
  line_ = record_.line;
  const auto& fields = record_.fields;
  fact_ = {fields[order_[0]], fields[order_[1]], fields[order_[2]], fields[order_[3]],
           columns_.columns == 5 ? fields[order_[4]] : std::string_view()};
  return Outcome::fact;
}

FactReader::Outcome FactReader::bad(std::uint64_t line, std::string problem) {
  line_ = line;
  problem_ = std::move(problem);
  return Outcome::bad;
}

FactsFileName facts_file_name(const std::filesystem::path& path) {
  std::filesystem::path name = path.filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  const bool csv = name.extension() == ".csv";
  if (csv || name.extension() == ".txt" || name.extension() == ".tsv") name = name.stem();
  return {name.string(), csv};
}

}  // namespace orrery
