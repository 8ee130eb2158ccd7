#include "data/load.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/paths.h"
#include "base/random.h"
#include "data/fact_collector.h"
#include "data/split_files.h"
#include "facts/fact_reader.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;
using Splits = std::array<std::vector<Fact>, 3>;

constexpr std::size_t most_bad_lines_kept = 20;

class Loader {
 public:
  Loader(const LoadOptions& options, LoadReport& report) : options_(options), report_(report) {}

  std::vector<Fact> read(const fs::path& file) {
    std::vector<Fact> facts;
    FactReader reader(file, columns_);
    Fact fact;
    std::string problem;
    while (true) {
      const FactReader::Outcome outcome = reader.next();
      if (outcome == FactReader::Outcome::end) return facts;
      if (outcome == FactReader::Outcome::bad) {
        refuse(file, reader.line(), reader.problem());
      } else if (collector_.number(reader.fact(), intervals(), fact, problem)) {
        facts.push_back(fact);
      } else {
        refuse(file, reader.line(), problem);
      }
    }
  }

  TemporalGraph finish(Splits facts) const {
    return collector_.finish(std::move(facts), intervals(), options_);
  }

 private:
  bool intervals() const { return columns_.columns == 5; }

  void refuse(const fs::path& file, std::uint64_t line, const std::string& problem) {
    if (!options_.skip_bad) {
      fail_request(About{.place = {file.string(), line},
                         .advice = worded("mend the line, or leave bad lines out with $skip-bad")},
                   "{}", problem);
    }
    ++report_.bad_lines;
    if (report_.first_bad.size() < most_bad_lines_kept) {
      report_.first_bad.push_back({file, line, problem});
    }
  }

  const LoadOptions& options_;
  LoadReport& report_;
  ColumnCount columns_;
  FactCollector collector_;
};

// Cuts at the rounded running shares, and gives each fact the place a seeded permutation says.
// File order is kept inside each split.
Splits cut(std::vector<Fact> facts, const std::vector<double>& shares, std::uint64_t seed) {
  double total = 0;
  for (const double share : shares) {
    if (!std::isfinite(share) || share < 0)
      fail_request(About{.option = "split"}, "a split share of {} makes no sense", share);
    total += share;
  }
  if (shares.size() != 3 || total <= 0) {
    fail_request(About{.option = "split"},
                 "three split shares are needed, as in 80/10/10; {} were given", shares.size());
  }
  const std::uint64_t size = facts.size();
  const auto cut_at = [&](double share) {
    return static_cast<std::uint64_t>(std::llround(share / total * static_cast<double>(size)));
  };
  const std::uint64_t train_end = cut_at(shares[0]), valid_end = cut_at(shares[0] + shares[1]);
  if (train_end == 0 || valid_end == train_end || valid_end >= size) {
    fail_request(About{.option = "split"},
                 "{} facts cannot be split {}/{}/{}: each split needs at least one fact", size,
                 shares[0], shares[1], shares[2]);
  }
  Splits splits;
  splits[0].reserve(train_end);
  splits[1].reserve(valid_end - train_end);
  splits[2].reserve(size - valid_end);
  const RandomPermutation place(size, seed);
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t at = place(i);
    splits[at < train_end ? 0 : at < valid_end ? 1 : 2].push_back(facts[i]);
  }
  return splits;
}

Splits read_directory(const fs::path& path, const LoadOptions& options, Loader& loader) {
  if (options.split_shares) {
    fail_request(About{.option = "split",
                       .place = {path.string()},
                       .advice = worded("$split is for a single file")},
                 "is a directory with splits of its own");
  }
  Splits facts;
  const auto files = find_split_files(path);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i]) facts[i] = loader.read(*files[i]);
  }
  return facts;
}

Splits read_single_file(const fs::path& path, const LoadOptions& options, Loader& loader) {
  if (!path_exists(path)) {
    fail_request(About{.option = "data", .place = {path.string()}},
                 "there is no such file or directory");
  }
  if (!options.split_shares) {
    fail_request(About{.option = "split",
                       .place = {path.string()},
                       .advice = worded("say how to split it, as in $split 80/10/10")},
                 "is a single file");
  }
  return cut(loader.read(path), *options.split_shares, options.split_seed);
}

}  // namespace

TemporalGraph load_facts(const fs::path& path, const LoadOptions& options, LoadReport* report) {
  LoadReport own;
  LoadReport& bad = report != nullptr ? *report : own;
  bad = {};
  Loader loader(options, bad);
  std::error_code no_directory;
  Splits facts = fs::is_directory(path, no_directory) ? read_directory(path, options, loader)
                                                      : read_single_file(path, options, loader);
  if (facts[0].empty()) {
    fail_request(About{.option = "data", .place = {path.string()}},
                 "the train split holds no facts ({} bad lines were left out)", bad.bad_lines);
  }
  return loader.finish(std::move(facts));
}

}  // namespace orrery
