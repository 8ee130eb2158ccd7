// The published facts are known by their fingerprint, whatever a configuration makes of their
// times.
#include "data/fingerprint.h"
#include "data/load.h"
#include "paper/small_sets.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;

class PublishedFacts : public testing::SmallSets {};

TEST_F(PublishedFacts, OfIntervalsAreRecognised) {
  write_configs("configs");
  std::string sets = read_bytes(at("configs/sets.tsv"));
  const std::string title = "YAGO11k\t";
  sets.replace(sets.find(title) + title.size(), 64,
               fingerprint_of_facts(load_facts(at("sets/yago11k"))));
  scratch_.write("configs/sets.tsv", sets);
  ReproduceOptions options = asked("curves");
  options.configs = at("configs").string();
  reproduce(options, at("out"));
  EXPECT_EQ(saved("curves")["sets"]["yago11k"]["published_facts"], true);
  EXPECT_FALSE(contains(page("curves.md"), "yago11k are not the published ones"));
  EXPECT_TRUE(contains(page("curves.md"), "icews14 are not the published ones"));
}

}  // namespace
}  // namespace orrery
