#include <utility>

#include "facts/record_reader.h"

namespace orrery {
namespace {

class PlainTable final : public RecordReader {
 public:
  PlainTable(LineReader lines, char separator) : lines_(std::move(lines)), separator_(separator) {}

  void select(std::span<const std::size_t> columns) override { slots_.select(columns); }

  bool next(Record& record) override {
    if (!lines_.next()) return false;
    record.line = lines_.number();
    record.problem = nullptr;
    record.count = 0;
    slots_.prepare(record.fields);
    const std::string_view line = without_line_end(lines_.text());
    std::size_t begin = 0, end = 0;
    for (; !line.empty() && end != line.size(); begin = end + 1) {
      const std::size_t found = line.find(separator_, begin);
      end = found == std::string_view::npos ? line.size() : found;
      slots_.put(record.fields, record.count, line.substr(begin, end - begin));
      ++record.count;
    }
    slots_.finish(record.fields, record.count);
    return true;
  }

 private:
  LineReader lines_;
  char separator_;
  ColumnSlots slots_;
};

}  // namespace

std::unique_ptr<RecordReader> read_plain_table(LineReader lines, char separator) {
  return std::make_unique<PlainTable>(std::move(lines), separator);
}

std::unique_ptr<RecordReader> read_table(LineReader lines, TableForm form) {
  return form.quotes ? read_quoted_table(std::move(lines), form.separator)
                     : read_plain_table(std::move(lines), form.separator);
}

}  // namespace orrery
