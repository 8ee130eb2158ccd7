// When facts are: each distinct text of a date is numbered once, and all are read together when the
// last line is known, since only the whole column says what 20200101 or 02/03/2023 means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/cut_facts.h"
#include "data/load.h"
#include "data/name_table.h"
#include "data/time_axis.h"
#include "facts/date_form.h"
#include "facts/fact_reader.h"

namespace orrery {

class FactDates {
 public:
  explicit FactDates(const LoadOptions& options) : options_(options) {}

  // Facts that are numbered from now on stand in this file.
  void begin_file(std::string name) { files_.push_back(std::move(name)); }
  // The number of a fact's time, in the order of first sight.
  std::int32_t number(const FactText& text, bool intervals, std::uint64_t line);

  // Reads all dates. Facts whose date is bad, too coarse or missing are bad lines; they and what a
  // memory did not know as of a date leave the splits.
  void read(Splits& facts, bool intervals, LoadReport& report);

  // All below is known after read. Points may have become intervals: where facts hold at all times
  // or over the period of a coarse date.
  bool intervals() const { return intervals_; }
  // When a fact starts; when it ends, where that is all that is known.
  Date date_of(const Fact& fact) const;
  // Rows and moments of all facts; moment_of goes by the number of a fact's time.
  TimeAxis axis(const Splits& facts) const;

 private:
  // Small: every fact may have a date of its own.
  struct Place {
    std::uint64_t file : 16;
    std::uint64_t line : 48;
  };
  struct Stamps {
    std::int32_t start = 0, end = 0, recorded = 0, expired = 0;
  };

  std::int32_t text_number(NameTable& table, std::string_view text);
  std::size_t size() const { return places_.size(); }
  Stamps stamps_of(std::size_t when) const;
  const ParsedDate& start_of(std::size_t when) const;
  const ParsedDate& end_of(std::size_t when) const;

  void read_texts(const std::vector<std::uint64_t>& counts, DatesUnderstood& understood);
  void read_as_of(const std::vector<std::uint64_t>& counts, DatesUnderstood& understood);
  [[noreturn]] void refuse_ambiguous(std::int32_t text) const;
  void open_the_year_9999();
  bool has_problem(std::size_t when, std::string& problem, std::string& advice) const;
  void choose_granularity_of_axis(const std::vector<std::uint64_t>& counts,
                                  DatesUnderstood& understood);
  bool is_coarse(const ParsedDate& date) const;
  bool is_fine(const ParsedDate& date) const;
  bool is_too_coarse(std::size_t when, std::string& problem, std::string& advice) const;
  void understand(const std::vector<std::uint64_t>& counts, DatesUnderstood& understood);
  TimeAxis axis_of_intervals(const std::vector<DatedText>& texts) const;
  std::string text_for(std::int32_t text, const ParsedDate& date) const;

  const LoadOptions& options_;
  NameTable texts_;            // of starts and ends
  NameTable stamps_;           // of `recorded` and `expired`, where `as_of` needs them
  NameTable moments_;          // Stamps, as bytes; of plain points the texts themselves
  std::vector<Place> places_;  // by moment, where it was first met
  std::vector<std::string> files_ = {std::string()};

  bool has_ends_ = false;   // the files have starts and ends
  bool intervals_ = false;  // … or the data has, as it is read
  DateReading reading_;
  std::vector<ParsedDate> dates_;           // by number of the text
  std::vector<char> ends_open_, kept_;      // by moment
  std::optional<Granularity> granularity_;  // of the axis; empty: the interval axis decides
};

}  // namespace orrery
