// Records of named or numbered columns, one reader a format; formats.h lists those that are no text
// tables.
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

// One line's fields. `count` may exceed what is kept: no line of facts has so many.
struct Record {
  static constexpr std::size_t most_kept = 6;
  std::vector<std::string_view> fields = std::vector<std::string_view>(most_kept);
  std::size_t count = 0;
  std::uint64_t line = 0;         // or the number of the record, where a file has no lines
  const char* problem = nullptr;  // why the record cannot be read, or null

  bool blank() const { return problem == nullptr && count == 1 && fields[0].empty(); }
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // Titles of the columns; empty for text tables, whose first line may be a header.
  virtual std::span<const std::string> titles() const { return {}; }
  // Which columns `next` delivers, by position in titles(). Called before the first next(); without
  // it all columns come.
  virtual void select(std::span<const std::size_t> columns) { static_cast<void>(columns); }
  // False at the end. The fields are valid until the next call.
  virtual bool next(Record& record) = 0;
};

// Fields are what stands between TABs, byte for byte.
std::unique_ptr<RecordReader> read_tsv(LineReader lines);
// RFC 4180: fields may stand in double quotes, and then hold commas, line ends and doubled quotes.
std::unique_ptr<RecordReader> read_csv(LineReader lines);

}  // namespace orrery
