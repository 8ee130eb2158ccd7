#include <utility>

#include "facts/record_reader.h"

namespace orrery {
namespace {

class QuotedTable final : public RecordReader {
 public:
  QuotedTable(LineReader lines, char separator) : lines_(std::move(lines)), separator_(separator) {}

  void select(std::span<const std::size_t> columns) override { slots_.select(columns); }

  bool next(Record& record) override {
    if (!lines_.next()) return false;
    record.line = lines_.number();
    record.problem = nullptr;
    record.count = 0;
    unquoted_.clear();
    kept_.clear();
    slots_.prepare(record.fields);

    std::size_t at = 0;
    while (true) {
      const Field field = field_at(at);
      if (field.problem != nullptr) {
        // Only this line is lost: what a stray quote seemed to swallow is read anew.
        lines_.back_to_first_line();
        record.problem = field.problem;
        return true;
      }
      if (slots_.wanted(record.count)) kept_.push_back({record.count, field});
      ++record.count;
      if (field.last) {
        if (record.count == 1 && field.begin == field.end) {
          record.count = 0;
          kept_.clear();
        }
        break;
      }
      at = field.after + 1;
    }
    // The text stands still from here on.
    unquoted_.reserve(lines_.text().size());
    for (const auto& [column, field] : kept_) slots_.put(record.fields, column, text_of(field));
    slots_.finish(record.fields, record.count);
    return true;
  }

 private:
  // Offsets, not views: the text may move while a quoted field takes in more lines.
  struct Field {
    std::size_t begin = 0, end = 0;  // without quotes and without spaces around them
    std::size_t after = 0;           // of the separator or the line end
    bool last = false, doubled_quotes = false;
    const char* problem = nullptr;
  };

  Field field_at(std::size_t begin) {
    const std::string_view line = without_line_end(lines_.text());
    while (begin < line.size() && line[begin] == ' ') ++begin;
    if (begin < line.size() && line[begin] == '"') return quoted_field_at(begin + 1);
    Field field;
    field.begin = begin;
    const std::size_t separator = line.find(separator_, begin);
    field.last = separator == std::string_view::npos;
    field.end = field.after = field.last ? line.size() : separator;
    while (field.end > begin && line[field.end - 1] == ' ') --field.end;
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
    while (field.after < line.size() && line[field.after] == ' ') ++field.after;
    field.last = field.after == line.size();
    if (!field.last && line[field.after] != separator_) {
      field.problem = field.end > field.begin && line[field.end - 1] == '\\'
                          ? "a quote after a backslash ends the field; write the quote twice"
                          : "text after the closing quote of a field; a separator belongs there";
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
  char separator_;
  ColumnSlots slots_;
  std::vector<std::pair<std::size_t, Field>> kept_;  // the selected columns of this row
  std::string unquoted_;  // the fields that had doubled quotes, one after the other
};

}  // namespace

std::unique_ptr<RecordReader> read_quoted_table(LineReader lines, char separator) {
  return std::make_unique<QuotedTable>(std::move(lines), separator);
}

}  // namespace orrery
