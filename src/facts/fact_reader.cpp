#include "facts/fact_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "facts/table_form.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

constexpr std::size_t first_time_column = 3;
constexpr const char* table_rule =
    "without a header a table has 4 columns (subject, relation, object, time) or 5 (…, start, "
    "end), separated by TAB, comma, semicolon or |";

// A number, or what stands for one; a known title with a digit ("actor1") is none.
bool looks_like_date(std::string_view text) {
  return text.find_first_of("0123456789#") != std::string_view::npos &&
         !known_title(folded_title(text));
}

bool all_empty(const std::vector<std::string_view>& fields) {
  return std::all_of(fields.begin(), fields.end(), [](std::string_view f) { return f.empty(); });
}

// "sep=;" comes cut in two at its own separator.
bool is_separator_row(const Record& record) {
  return record.problem == nullptr && record.count == 2 && record.fields[0] == "sep=" &&
         record.fields[1].empty();
}

}  // namespace

FactReader::FactReader(const std::filesystem::path& path, SetColumns& shared,
                       const ReadOptions& options)
    : FactReader(open_records(path, options), shared, options) {}

FactReader::FactReader(OpenedRecords records, SetColumns& shared, const ReadOptions& options)
    : records_(std::move(records.reader)),
      name_(std::move(records.name)),
      set_(shared),
      options_(options),
      decided_by_(name_) {
  understood_.kind = records.kind;
  understood_.encoding = name_of(records.encoding);
  if (records.kind == FileKind::table)
    understood_.separator = name_of_separator(records.form.separator);
  const auto titles = records_->titles();
  if (titles.empty()) return;
  titled_ = true;
  const MappedColumns mapped = map_titles(titles, options_.columns, options_.undated);
  if (!mapped.problem.empty())
    fail_request(About{.option = "columns", .place = {name_}, .advice = mapped.advice}, "{}",
                 mapped.problem);
  decide({true, mapped.map}, {titles.begin(), titles.end()});
}

FactReader::Outcome FactReader::next() {
  if (!held_ && !read_record()) return Outcome::end;
  held_ = true;
  if (!decided_ && record_.problem == nullptr && decide_by_first_line()) {
    blanks_ = 0;
    held_ = read_record();
    if (!held_) return Outcome::end;
  }
  // Empty lines at the end of a file are none of its lines; before a fact they are.
  if (blanks_ > 0) {
    --blanks_;
    return bad(blank_line_++, "the line is empty");
  }
  held_ = false;
  return deliver();
}

// The next line that is not empty; the empty ones before it are counted. Spreadsheets write empty
// rows as separators alone.
bool FactReader::read_record() {
  while (records_->next(record_)) {
    if (!decided_ && !titled_ && record_.line == 1 && is_separator_row(record_)) continue;
    const bool blank = record_.blank() || (!titled_ && record_.problem == nullptr &&
                                           record_.fields[0].empty() && all_empty(record_.fields));
    if (!blank) return true;
    if (blanks_++ == 0) blank_line_ = record_.line;
  }
  return false;
}

// True when the line is a header, and so no fact.
bool FactReader::decide_by_first_line() {
  const std::vector<std::string> first(record_.fields.begin(), record_.fields.end());
  decided_by_ = fmt::format("{}:{}", name_, record_.line);
  const Decision decision = [&] {
    try {
      return decision_on(first);
    } catch (const Error& error) {
      throw error.at({name_, record_.line});
    }
  }();
  count_ = record_.count;
  decide(decision, first);
  if (decision.header) return true;
  // This row came with all of its columns.
  const std::vector<std::string_view> all = record_.fields;
  record_.fields.clear();
  for (const std::size_t column : selected_)
    record_.fields.push_back(column < all.size() ? all[column] : std::string_view());
  return false;
}

// A first line without dates must be a header that is understood: facts must be neither lost nor
// read in another order.
FactReader::Decision FactReader::decision_on(const std::vector<std::string>& first) const {
  const ColumnRequest& request = options_.columns;
  if (!request.empty() && !request.has_titles()) {
    const MappedColumns numbered = map_numbers(first.size(), request, options_.undated);
    const std::size_t time = numbered.map[Role::start];
    const bool titles =
        known_titles(first) >= 2 ||
        (time != ColumnMap::none && !first[time].empty() && !looks_like_date(first[time]));
    if (!titles && numbered.problem.empty()) return {false, numbered.map};
    const MappedColumns mapped = titles ? map_titles(first, request, options_.undated) : numbered;
    if (!mapped.problem.empty()) refuse_first_line(first, mapped);
    return {titles, mapped.map};
  }
  const bool facts = is_row_of_facts(first);
  if (facts && request.empty()) return decision_on_untitled(first.size());
  const MappedColumns mapped = map_titles(first, request, options_.undated);
  if (!mapped.problem.empty()) refuse_first_line(first, mapped);
  return {true, mapped.map};
}

// In the order of the set's first file, where that is the order of files without a header.
FactReader::Decision FactReader::decision_on_untitled(std::size_t count) const {
  if (!set_.decided) return {false, default_columns(count)};
  if (set_.header && !(set_.map == default_columns(set_.count)))
    fail_request(About{.place = {name_}, .advice = "give it the same header"},
                 "has no header, and the header of {} has other columns or another order than "
                 "subject, relation, object, time, end",
                 set_.decided_by);
  return {false, set_.header ? set_.map : default_columns(set_.count)};
}

bool FactReader::is_row_of_facts(const std::vector<std::string>& first) const {
  const std::size_t known = known_titles(first);
  // Beside a file without a header a row of another width is a bad line.
  if (set_.decided && !set_.header && known == 0) return true;
  if (options_.undated && first.size() == first_time_column) return known < 2;
  if (first.size() != 4 && first.size() != 5) return false;
  const auto times = std::span(first).subspan(first_time_column);
  if (std::any_of(times.begin(), times.end(), looks_like_date)) return known < 3;
  return known < 2 &&
         std::all_of(times.begin(), times.end(), [](const std::string& t) { return t.empty(); });
}

void FactReader::refuse_first_line(const std::vector<std::string>& first,
                                   const MappedColumns& mapped) const {
  const About about{.option = "columns", .place = {name_, record_.line}, .advice = mapped.advice};
  if (known_titles(first) > 0 || !options_.columns.empty())
    fail_request(about, "the header is not understood: {}", mapped.problem);
  if (first.size() == 4 || first.size() == 5)
    fail_request(about, "{} is not a date, and as a header the line is not understood: {}",
                 shown(first[first_time_column]), mapped.problem);
  fail_request(
      About{.option = "columns",
            .place = {name_, record_.line},
            .advice = first.size() == first_time_column
                          ? worded("give it dates, or let facts without a date hold always with "
                                   "$undated always")
                      : first.size() < first_time_column
                          ? std::string("remove what stands above the header, if this is a "
                                        "table of facts")
                          : worded("give it a header, or say which column is which: "
                                   "$columns subject=1,relation=2,object=3,time=4")},
      "{} column{} and no title that is known; {}", first.size(), first.size() == 1 ? "" : "s",
      table_rule);
}

void FactReader::decide(const Decision& decision, const std::vector<std::string>& titles) {
  decided_ = true;
  agree_with_set(decision);
  for (const Role role : all_roles) {
    if (!decision.map.has(role)) continue;
    const std::size_t column = decision.map[role];
    const auto seen = std::find(selected_.begin(), selected_.end(), column);
    slot_[role] = static_cast<std::size_t>(seen - selected_.begin());
    if (seen == selected_.end()) selected_.push_back(column);
  }
  records_->select(selected_);
  note_understood(decision, titles);
}

void FactReader::agree_with_set(const Decision& decision) {
  const bool has_end = decision.map.has(Role::end);
  if (!set_.decided) {
    set_ = {true, decision.header, has_end, count_, decision.map, decided_by_};
    return;
  }
  // Rows of a file without a header are told apart one by one, by their number of columns.
  if (!decision.header && options_.columns.empty()) {
    count_ = set_.count;
    decided_by_ = set_.decided_by;
  } else if (has_end != set_.has_end) {
    fail_request(About{.option = "columns",
                       .place = {name_},
                       .advice = "all files of a data set have the same columns"},
                 "has {} column for the end of a fact, other than {}", has_end ? "a" : "no",
                 set_.decided_by);
  }
}

void FactReader::note_understood(const Decision& decision, const std::vector<std::string>& titles) {
  understood_.header = decision.header && understood_.kind == FileKind::table;
  for (const Role role : all_roles) {
    if (!decision.map.has(role)) continue;
    const std::size_t column = decision.map[role];
    understood_.column[index_of(role)] =
        decision.header ? titles[column] : fmt::format("column {}", column + 1);
  }
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (std::find(selected_.begin(), selected_.end(), i) != selected_.end()) continue;
    understood_.ignored.push_back(decision.header ? titles[i] : fmt::format("column {}", i + 1));
  }
}

FactReader::Outcome FactReader::deliver() {
  if (record_.problem != nullptr) return bad(record_.line, record_.problem);
  if (!titled_ && record_.count != count_) {
    return bad(record_.line, fmt::format("{} columns where {} are expected, as in {}",
                                         record_.count, count_, decided_by_));
  }
  const auto field = [this](Role role) {
    const std::size_t slot = slot_[role];
    return slot == ColumnMap::none ? std::string_view() : record_.fields[slot];
  };
  line_ = record_.line;
  fact_ = {field(Role::subject), field(Role::relation), field(Role::object), field(Role::start),
           field(Role::end),     field(Role::recorded), field(Role::expired)};
  return Outcome::fact;
}

FactReader::Outcome FactReader::bad(std::uint64_t line, std::string problem) {
  line_ = line;
  problem_ = std::move(problem);
  return Outcome::bad;
}

}  // namespace orrery
