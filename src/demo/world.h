// A small synthetic world whose rules are known: what can be learned from it is known as well.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class Pattern {
  symmetric,
  asymmetric,
  inverse,
  evolving,
  periodic,
  hierarchical,
  once,
  repeating,
  yearly,
  noise,
};
inline constexpr Pattern all_patterns[] = {
    Pattern::symmetric, Pattern::asymmetric,   Pattern::inverse, Pattern::evolving,
    Pattern::periodic,  Pattern::hierarchical, Pattern::once,    Pattern::repeating,
    Pattern::yearly,    Pattern::noise};
std::string_view name_of(Pattern pattern);

// The reachable values are the reciprocal ranks that someone who knows the rules and the train
// facts can expect for the fact's two questions; they are set for valid and test facts.
struct LabelledFact {
  std::string subject, relation, object, date;
  Pattern pattern = Pattern::noise;
  double reachable_object = 0;
  double reachable_subject = 0;

  friend bool operator==(const LabelledFact&, const LabelledFact&) = default;
};

struct DemoWorld {
  std::uint64_t seed = 1;
  std::vector<LabelledFact> train, valid, test;
};

DemoWorld make_demo_world(std::uint64_t seed = 1);

// The best reachable filtered MRR, both directions, of the facts of one pattern or of all facts.
struct Reachable {
  std::size_t facts = 0;
  double mrr = 0;
};
Reachable reachable_mrr(const std::vector<LabelledFact>& facts, Pattern pattern);
Reachable reachable_mrr(const std::vector<LabelledFact>& facts);

// Writes train.txt, valid.txt, test.txt, labels.tsv, reachable.json and README.txt and returns
// their paths. A file of that name with other content is never overwritten: a request Error.
std::vector<std::filesystem::path> write_demo_world(const DemoWorld& world,
                                                    const std::filesystem::path& directory);

struct TestLabel {
  Pattern pattern = Pattern::noise;
  double reachable_object = 0;
  double reachable_subject = 0;
};
// The labels of a demo directory (or its labels.tsv), in the order of test.txt's lines.
std::vector<TestLabel> read_demo_labels(const std::filesystem::path& path);

}  // namespace orrery
