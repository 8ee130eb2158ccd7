// A facts file as a stream of facts in text: format by the file's kind, columns by its titles.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "facts/column_map.h"
#include "facts/open_records.h"
#include "facts/record_reader.h"

namespace orrery {

struct FactText {
  std::string_view subject, relation, object;
  std::string_view start, end;  // `end` is empty where there is no such column
  // When a memory learned of the fact, and that it has ended.
  std::string_view recorded = {}, expired = {};
};

// The columns of a data set: its first file decides, and the others must agree.
struct SetColumns {
  bool decided = false;
  bool header = false;
  bool has_end = false;    // facts are valid from a start to an end
  std::size_t count = 0;   // of a table
  ColumnMap map;           // in the file that decided
  std::string decided_by;  // "train.txt:1", for messages
};

// What was made of a file, to be shown.
struct ColumnsUnderstood {
  std::array<std::string, role_count> column;  // by Role: a title, or "column 4"; empty: none
  std::vector<std::string> ignored;            // titles of columns that are no part of a fact
  bool header = false;                         // the first line of a table holds titles
  FileKind kind = FileKind::table;
  std::string separator;  // of a table: "TAB", "comma", …
  std::string encoding;   // "UTF-8", …
};

class FactReader {
 public:
  enum class Outcome { fact, bad, end };

  FactReader(const std::filesystem::path& path, SetColumns& shared,
             const ReadOptions& options = {});
  FactReader(OpenedRecords records, SetColumns& shared, const ReadOptions& options = {});

  // The first call finds out which columns there are; a header that is not understood is a request
  // Error of the option "columns".
  Outcome next();
  const FactText& fact() const { return fact_; }           // after Outcome::fact
  const std::string& problem() const { return problem_; }  // after Outcome::bad
  std::uint64_t line() const { return line_; }
  const ColumnsUnderstood& understood() const { return understood_; }  // after the first fact

 private:
  struct Decision {
    bool header = false;
    ColumnMap map;
  };

  bool read_record();
  bool decide_by_first_line();
  Decision decision_on(const std::vector<std::string>& first) const;
  Decision decision_on_untitled(std::size_t count) const;
  void decide(const Decision& decision, const std::vector<std::string>& titles);
  void agree_with_set(const Decision& decision);
  void note_understood(const Decision& decision, const std::vector<std::string>& titles);
  bool is_row_of_facts(const std::vector<std::string>& first) const;
  [[noreturn]] void refuse_first_line(const std::vector<std::string>& first,
                                      const MappedColumns& mapped) const;
  Outcome deliver();
  Outcome bad(std::uint64_t line, std::string problem);

  std::unique_ptr<RecordReader> records_;
  std::string name_;
  SetColumns& set_;
  ReadOptions options_;
  ColumnsUnderstood understood_;
  bool decided_ = false;
  bool titled_ = false;                // by the format: rows need no count of columns
  std::size_t count_ = 0;              // columns that a row of a table must have
  std::string decided_by_;             // the line that says so
  std::vector<std::size_t> selected_;  // columns that are read
  ColumnMap slot_;                     // where a role's column stands among them
  FactText fact_;
  std::string problem_;
  std::uint64_t line_ = 0;
  Record record_;
  bool held_ = false;             // record_ is still to be delivered
  std::uint64_t blank_line_ = 0;  // the first of `blanks_` empty lines read since the last fact
  std::uint64_t blanks_ = 0;
};

}  // namespace orrery
