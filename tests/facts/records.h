// All records of a reader as plain values, for tests of formats.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "facts/record_reader.h"

namespace orrery::testing {

struct Row {
  std::uint64_t line = 0;
  std::vector<std::string> fields;  // or "!" and the problem
  friend bool operator==(const Row&, const Row&) = default;
};
using Rows = std::vector<Row>;

inline std::ostream& operator<<(std::ostream& out, const Row& row) {
  out << row.line << ":";
  for (const auto& field : row.fields) out << " [" << field << "]";
  return out;
}

inline Rows rows_of(RecordReader& reader) {
  Rows rows;
  Record record;
  while (reader.next(record)) {
    if (record.problem != nullptr) {
      rows.push_back({record.line, {"!", record.problem}});
    } else {
      EXPECT_EQ(record.count, record.fields.size());
      rows.push_back({record.line, {record.fields.begin(), record.fields.end()}});
    }
  }
  return rows;
}

inline std::vector<std::string> titles_of(const RecordReader& reader) {
  const auto titles = reader.titles();
  return {titles.begin(), titles.end()};
}

}  // namespace orrery::testing
