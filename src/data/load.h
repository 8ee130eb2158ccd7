// Facts files to a TemporalGraph.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/cut_facts.h"
#include "data/temporal_graph.h"
#include "facts/date_form.h"
#include "facts/fact_reader.h"
#include "orrery/dataset.h"
#include "orrery/dates.h"

namespace orrery {

struct LoadOptions {
  std::optional<Granularity> granularity;  // empty: chosen by the dates (data/time_axis_choice.h)
  DateForm dates = DateForm::automatic;    // the form of dates
  bool spread_coarse_dates = false;        // over their periods, instead of bad lines
  bool undated_always = false;             // facts without a date hold always, instead of bad lines
  std::optional<Date> as_of;               // only what a memory knew then
  std::int64_t min_facts = 1;        // interval data: years pooled until a class holds this many
  bool within = false;               // interval data: facts hold from start to end
  std::optional<Date> horizon = {};  // to which open ends reach, within
  bool skip_bad = false;             // leave bad lines out and report them, instead of an Error
  ReadOptions reading;               // the format and the columns of the files
  // How one list of facts becomes train, valid and test. Empty: by shares that fit its size, and
  // `usual_cut` for the rest, the same for every seed of a training.
  std::optional<CutRule> cut;
  CutRule usual_cut = {};
};
// What the words mean; an unknown one is a request Error.
LoadOptions load_options_of(const DataOptions& options);

struct LoadReport {
  std::uint64_t bad_lines = 0;
  std::vector<BadLine> first_bad;  // at most 20
  DatesUnderstood dates;
  DateReading date_reading;  // what the texts of dates mean
  struct FileRead {
    std::string file;
    ColumnsUnderstood understood;
  };
  std::vector<FileRead> files;         // what was made of each
  std::string split;                   // the shares of one list, where none were named
  std::vector<Understood> understood;  // all of this, in sentences

  // Counts bad lines where they may be left out, `file` and `line` being the first of them; else it
  // is a request Error. `way_out` is a better one than mending the line.
  void note(const std::string& file, std::uint64_t line, const std::string& problem, bool skip_bad,
            const std::string& way_out = {}, std::uint64_t lines = 1);
};

// One file, or a directory with train alone.
bool holds_one_list(const std::filesystem::path& path);

// `path`: a directory with train/valid/test in .txt, .tsv or .csv (or no ending), plain, .gz or
// .zst; or one list, which is cut.
TemporalGraph load_facts(const std::filesystem::path& path, const LoadOptions& options = {},
                         LoadReport* report = nullptr);
// By Split; null: there is none. Where there is train alone, it is cut.
TemporalGraph load_tables(const std::array<const FactTable*, 3>& splits, const LoadOptions& options,
                          LoadReport& report);

}  // namespace orrery
