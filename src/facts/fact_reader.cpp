#include "facts/fact_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "facts/date.h"

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

bool is_date(std::string_view text) { return parse_date(text).kind != ParsedDate::Kind::bad; }

// Which of subject, relation, object, start, end a column of this title holds.
std::optional<std::size_t> meaning_of(std::string_view title) {
  std::string lower(title);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower == "subject") return 0;
  if (lower == "relation" || lower == "predicate") return 1;
  if (lower == "object") return 2;
  if (lower == "time" || lower == "date" || lower == "timestamp") return 3;
  if (lower == "start" || lower == "valid_from") return 3;
  if (lower == "end" || lower == "valid_to") return 4;
  return std::nullopt;
}

std::unique_ptr<RecordReader> open_records(const std::filesystem::path& path) {
  LineReader lines(open_bytes(path), path.string());
  return facts_file_name(path).csv ? read_csv(std::move(lines)) : read_tsv(std::move(lines));
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
  if (first_held_) {
    first_held_ = false;
    std::swap(record_, first_);
    const Outcome outcome = deliver();
    std::swap(record_, first_);
    return outcome;
  }
  if (!held_ && !read_record()) return Outcome::end;
  // Empty lines at the end of a file are none of its lines; before a fact they are.
  if (blanks_ > 0) {
    held_ = true;
    --blanks_;
    return bad(blank_line_++, "the line is empty");
  }
  held_ = false;
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
  const auto titles = times_of(record_);
  if (blanks_ > 0 || !std::all_of(titles.begin(), titles.end(), is_title)) return;

  // A header if facts follow; the next line overwrites this one, so it is put aside first.
  first_ = record_;
  first_text_.clear();
  for (const std::string_view field : std::span(record_.fields).first(record_.count)) {
    first_text_ += field;
  }
  std::size_t begin = 0;
  for (std::string_view& field : std::span(first_.fields).first(first_.count)) {
    field = std::string_view(first_text_).substr(begin, field.size());
    begin += field.size();
  }
  held_ = read_record();
  if (!held_) return;
  const auto times = has_fact_columns(record_) && record_.count == first_.count
                         ? times_of(record_)
                         : std::span<const std::string_view>();
  first_held_ = times.empty() || !std::all_of(times.begin(), times.end(), is_date);
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
