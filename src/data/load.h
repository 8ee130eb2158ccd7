// Facts files to a TemporalGraph.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/cut_facts.h"
#include "data/temporal_graph.h"
#include "orrery/dataset.h"

namespace orrery {

struct LoadOptions {
  std::optional<Granularity> granularity;  // empty: the coarsest that occurs (year for intervals)
  std::int64_t min_facts = 1;  // interval data: years pooled until a class holds this many
  bool skip_bad = false;       // leave bad lines out and report them, instead of an Error
  std::optional<CutRule> cut;  // how a single file becomes train, valid and test
};
// What the words mean; an unknown one is a request Error.
LoadOptions load_options_of(const DataOptions& options);

struct LoadReport {
  std::uint64_t bad_lines = 0;
  std::vector<BadLine> first_bad;  // at most 20
  std::vector<Understood> understood;

  // Counts a bad line where they may be left out; else it is a request Error.
  void note(const std::string& file, std::uint64_t line, const std::string& problem, bool skip_bad);
};

// `path`: a directory with train/valid/test in .txt, .tsv or .csv (or no ending), plain, .gz or
// .zst; or a single file together with `cut`.
TemporalGraph load_facts(const std::filesystem::path& path, const LoadOptions& options = {},
                         LoadReport* report = nullptr);

}  // namespace orrery
