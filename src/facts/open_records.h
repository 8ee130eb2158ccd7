// A facts file of any kind as rows of columns.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "facts/column_map.h"
#include "facts/encoding.h"
#include "facts/file_kind.h"
#include "facts/record_reader.h"

namespace orrery {

// What the user says about a file; by default nothing.
struct ReadOptions {
  std::string format = "auto";
  ColumnRequest columns;
  bool undated = false;  // facts may have no time
};

struct OpenedRecords {
  std::unique_ptr<RecordReader> reader;
  std::string name;  // for Errors
  FileKind kind = FileKind::table;
  TableForm form;  // of a table
  Encoding encoding = Encoding::utf8;
};
// Decompressed, converted to UTF-8 and with its kind recognised. What cannot be read is a request
// Error with the way out.
OpenedRecords open_records(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace orrery
