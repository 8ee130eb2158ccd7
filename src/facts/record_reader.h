// A file of any format as rows of columns, one reader a format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts/line_reader.h"

namespace orrery {

// One row.
struct Record {
  std::vector<std::string_view> fields;  // of the selected columns, in that order; valid until the
                                         // next call
  std::size_t count = 0;   // columns that the row really had; 0: an empty line of a text table
  std::uint64_t line = 0;  // the line, or the number of the record where there are no lines
  const char* problem = nullptr;  // why this record cannot be read, or null

  bool blank() const { return problem == nullptr && count == 0; }
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // Titles of the columns: paths "a.b" of JSON objects, the columns of a query. Empty for text
  // tables, whose first line may be a header: FactReader decides.
  virtual std::span<const std::string> titles() const { return {}; }
  // Which columns `next` delivers, by position in titles(), or in the line of a text table. Without
  // a call all columns come. It holds from the next row on.
  virtual void select(std::span<const std::size_t> columns) = 0;
  // False at the end. A missing or null value is an empty field.
  virtual bool next(Record& record) = 0;
};

// How a text table is written.
struct TableForm {
  char separator = '\t';
  // RFC 4180: fields may stand in double quotes, and then hold separators, line ends and doubled
  // quotes. Spaces around a field are not part of it, unless they stand inside the quotes.
  // Without it fields are what stands between separators, byte for byte.
  bool quotes = false;
};
std::unique_ptr<RecordReader> read_table(LineReader lines, TableForm form);

// Which place of Record::fields a column of a text table goes to.
class ColumnSlots {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void select(std::span<const std::size_t> columns) {
    all_ = false;
    selected_ = columns.size();
    slots_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] >= slots_.size()) slots_.resize(columns[i] + 1, none);
      slots_[columns[i]] = i;
    }
  }
  // A place for every selected column; where all are, each column adds its own.
  void prepare(std::vector<std::string_view>& fields) const {
    if (all_ || fields.size() != selected_) fields.assign(selected_, {});
  }
  // After the last of `count` columns: those that this row lacks are empty.
  void finish(std::vector<std::string_view>& fields, std::size_t count) const {
    for (std::size_t column = count; column < slots_.size(); ++column) {
      if (slots_[column] != none) fields[slots_[column]] = {};
    }
  }
  void put(std::vector<std::string_view>& fields, std::size_t column, std::string_view text) const {
    if (all_) {
      fields.push_back(text);
    } else if (wanted(column)) {
      fields[slots_[column]] = text;
    }
  }
  bool wanted(std::size_t column) const {
    return all_ || (column < slots_.size() && slots_[column] != none);
  }

 private:
  bool all_ = true;
  std::size_t selected_ = 0;
  std::vector<std::size_t> slots_;
};

// The two readers behind read_table.
std::unique_ptr<RecordReader> read_plain_table(LineReader lines, char separator);
std::unique_ptr<RecordReader> read_quoted_table(LineReader lines, char separator);

}  // namespace orrery
