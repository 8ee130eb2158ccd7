// Synthetic data sets: a small one whose rules and best reachable scores are known, and large ones
// of the size of the benchmark sets and beyond.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "orrery/evaluate.h"

namespace orrery {

// The facts of one rule (symmetric, inverse, periodic, …).
struct DemoPattern {
  std::string name;
  std::uint64_t test_facts = 0;
  double reachable_mrr = 0;  // by a predictor that knows the rules and the train facts
};

struct DemoFiles {
  std::vector<std::filesystem::path> files;
  std::uint64_t train = 0, valid = 0, test = 0;  // facts
  std::vector<DemoPattern> patterns;
  DemoPattern overall;
};
// Writes the facts of Dataset::demo(seed), their labels and a README. Existing files with other
// content are never overwritten.
DemoFiles write_demo(const std::filesystem::path& directory, std::uint64_t seed = 1);

struct LargeDemo {
  std::vector<std::filesystem::path> files;
  std::string like;
  std::uint64_t train = 0, valid = 0, test = 0;  // facts
  std::int32_t entities = 0, relations = 0, times = 0;
  std::string times_are;  // "days", or "years" of facts that hold from one to another
};
// As many made-up facts as gdelt, icews14, icews05-15 or a part of Wikidata ("wikidata", 10
// million) have, or `scale` times as many.
LargeDemo write_large_demo(const std::filesystem::path& directory, const std::string& like,
                           double scale = 1, std::uint64_t seed = 1);

// Scores of the demo world's test facts by the rule that made them.
struct PatternScores {
  std::string pattern;
  Scores scores;
  double reachable_mrr = 0;
};
// A data set without labels of its test facts is a request Error.
std::vector<PatternScores> scores_by_pattern(const Evaluation& evaluation);

}  // namespace orrery
