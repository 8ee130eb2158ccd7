// Lines to fields, one reader a format: TSV and CSV.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "facts/line_reader.h"

namespace orrery {

// One line's fields. `count` may exceed what is kept: no line of facts has so many.
struct Record {
  static constexpr std::size_t most_kept = 6;
  std::array<std::string_view, most_kept> fields;
  std::size_t count = 0;
  std::uint64_t line = 0;
  const char* problem = nullptr;  // why the line cannot be cut into fields, or null

  bool blank() const { return problem == nullptr && count == 1 && fields[0].empty(); }
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // False at the end. The fields are valid until the next call.
  virtual bool next(Record& record) = 0;
};

// Fields are what stands between TABs, byte for byte.
std::unique_ptr<RecordReader> read_tsv(LineReader lines);
// RFC 4180: fields may stand in double quotes, and then hold commas, line ends and doubled quotes.
std::unique_ptr<RecordReader> read_csv(LineReader lines);

}  // namespace orrery
