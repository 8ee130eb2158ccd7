// Facts files to a TemporalGraph.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/temporal_graph.h"

namespace orrery {

struct LoadOptions {
  std::optional<Granularity> granularity;  // empty: the coarsest that occurs (year for intervals)
  std::int64_t min_facts = 1;  // interval data: years pooled until a class holds this many
  bool skip_bad = false;       // leave bad lines out and report them, instead of an Error
  // A single file is cut into train/valid/test in these shares by a seeded permutation.
  std::optional<std::vector<double>> split_shares;
  std::uint64_t split_seed = 0;
};

struct BadLine {
  std::filesystem::path file;
  std::uint64_t line = 0;
  std::string reason;
};

struct LoadReport {
  std::uint64_t bad_lines = 0;
  std::vector<BadLine> first_bad;  // at most 20
};

// `path`: a directory with train/valid/test in .txt, .tsv or .csv (or no ending), plain, .gz or
// .zst; or a single file together with split_shares.
TemporalGraph load_facts(const std::filesystem::path& path, const LoadOptions& options = {},
                         LoadReport* report = nullptr);

}  // namespace orrery
