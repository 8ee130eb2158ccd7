#include <algorithm>
#include <array>
#include <utility>

#include "facts/record_reader.h"

namespace orrery {
namespace {

class CsvReader final : public RecordReader {
 public:
  explicit CsvReader(LineReader lines) : lines_(std::move(lines)) {}

  bool next(Record& record) override {
    if (!lines_.next()) return false;
    record.line = lines_.number();
    record.problem = nullptr;
    record.count = 0;
    unquoted_.clear();

    std::size_t at = 0;
    while (true) {
      const Field field = field_at(at);
      if (field.problem != nullptr) {
        // Only this line is lost: what a stray quote seemed to swallow is read anew.
        lines_.back_to_first_line();
        record.problem = field.problem;
        return true;
      }
      if (record.count < Record::most_kept) extents_[record.count] = field;
      ++record.count;
      if (field.last) break;
      at = field.after + 1;
    }
    // The text stands still from here on.
    unquoted_.reserve(lines_.text().size());
    for (std::size_t i = 0; i < std::min(record.count, Record::most_kept); ++i) {
      record.fields[i] = text_of(extents_[i]);
    }
    return true;
  }

 private:
  // Offsets, not views: the text may move while a quoted field takes in more lines.
  struct Field {
    std::size_t begin = 0, end = 0;  // without the quotes
    std::size_t after = 0;           // of the comma or the line end
    bool last = false, doubled_quotes = false;
    const char* problem = nullptr;
  };

  Field field_at(std::size_t begin) {
    const std::string_view line = without_line_end(lines_.text());
    if (begin < line.size() && line[begin] == '"') return quoted_field_at(begin + 1);
    Field field;
    field.begin = begin;
    const std::size_t comma = line.find(',', begin);
    field.last = comma == std::string_view::npos;
    field.end = field.after = field.last ? line.size() : comma;
    if (line.substr(begin, field.end - begin).find('"') != std::string_view::npos) {
      field.problem =
          "a quote inside an unquoted field; write the field as \"…\" and the quote twice";
    }
    return field;
  }

  Field quoted_field_at(std::size_t begin) {
    Field field;
    field.begin = begin;
    std::size_t at = begin;
    while (true) {
      const std::size_t quote = lines_.text().find('"', at);
      if (quote == std::string_view::npos) {
        at = lines_.text().size();
        if (lines_.extend()) continue;
        field.problem = "a quoted field is never closed";
        return field;
      }
      if (lines_.text().substr(quote + 1, 1) == "\"") {
        field.doubled_quotes = true;
        at = quote + 2;
        continue;
      }
      field.end = quote;
      field.after = quote + 1;
      break;
    }
    const std::string_view line = without_line_end(lines_.text());
    field.last = field.after == line.size();
    if (!field.last && line[field.after] != ',') {
      field.problem = "text after the closing quote of a field; a comma belongs there";
    }
    return field;
  }

  std::string_view text_of(const Field& field) {
    const std::string_view raw = lines_.text().substr(field.begin, field.end - field.begin);
    if (!field.doubled_quotes) return raw;
    const std::size_t begin = unquoted_.size();
    for (std::size_t i = 0; i < raw.size(); ++i) {
      unquoted_.push_back(raw[i]);
      if (raw[i] == '"') ++i;
    }
    return std::string_view(unquoted_).substr(begin);
  }

  LineReader lines_;
  std::array<Field, Record::most_kept> extents_;
  std::string unquoted_;  // the fields that had doubled quotes, one after the other
};

}  // namespace

std::unique_ptr<RecordReader> read_csv(LineReader lines) {
  return std::make_unique<CsvReader>(std::move(lines));
}

}  // namespace orrery
