// A facts file as a stream of facts in text: format by the file's ending, columns by its header.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "facts/record_reader.h"

namespace orrery {

struct FactText {
  std::string_view subject, relation, object;
  std::string_view start, end;         // `end` is empty in data of four columns
  std::string_view recorded, expired;  // when a memory learned of the fact, and that it has ended
};

// The number of columns, the same in all files of a data set: the first good line decides.
struct ColumnCount {
  std::size_t columns = 0;  // 4, 5 or, as yet, 0
  std::string decided_by;   // "train.txt:1", for messages
};

class FactReader {
 public:
  enum class Outcome { fact, bad, end };

  // `.csv` is read as CSV, all else as TSV.
  FactReader(const std::filesystem::path& path, ColumnCount& shared_columns);
  FactReader(std::unique_ptr<RecordReader> records, std::string name, ColumnCount& shared_columns);

  Outcome next();
  const FactText& fact() const { return fact_; }           // after Outcome::fact
  const std::string& problem() const { return problem_; }  // after Outcome::bad
  std::uint64_t line() const { return line_; }

 private:
  bool read_record();
  void read_header();
  bool take_order_from(const Record& names);
  Outcome deliver();
  Outcome bad(std::uint64_t line, std::string problem);

  std::unique_ptr<RecordReader> records_;
  std::string name_;
  ColumnCount& columns_;
  std::array<std::size_t, 5> order_ = {0, 1, 2, 3, 4};  // where subject … end stand
  FactText fact_;
  std::string problem_;
  std::uint64_t line_ = 0;
  Record record_;
  bool header_read_ = false;
  bool held_ = false;             // record_ is still to be delivered
  bool untitled_ = false;         // … and has neither dates nor the titles of a header
  std::uint64_t blank_line_ = 0;  // the first of `blanks_` empty lines read since the last fact
  std::uint64_t blanks_ = 0;
};

// The file name without .gz/.zst and then without .txt/.tsv/.csv, and whether it is CSV.
struct FactsFileName {
  std::string stem;
  bool csv = false;
};
FactsFileName facts_file_name(const std::filesystem::path& path);

}  // namespace orrery
