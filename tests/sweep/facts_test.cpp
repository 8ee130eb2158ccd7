// A sweep is of one set of facts, wherever they lie.
#include <functional>

#include "api/in_memory.h"
#include "sweep/watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::in_memory;
using testing::read_bytes;
using testing::refused;
using testing::SweepRuns;
using testing::Watcher;
using testing::world_lines;

class SweepFacts : public SweepRuns {
 protected:
  void replace_facts() const { scratch_.write("data/train.txt", world_lines(300, 220, false)); }
  void bring_facts_back() const { write_world("data", false); }
};

// Meddles with the data before a trial.
class Meddler : public Watcher {
 public:
  Meddler(std::int64_t before_trial, std::function<void()> meddle)
      : trial_(before_trial), meddle_(std::move(meddle)) {}
  void on_trial(const TrialAhead& trial) override {
    if (trial.trial == trial_) meddle_();
  }

 private:
  std::int64_t trial_;
  std::function<void()> meddle_;
};

TEST_F(SweepFacts, OtherFactsAreRefusedBeforeAnythingIsTrained) {
  sweep(drawn(Search::random, 2), at("out"));
  const std::string asked = read_bytes(at("out") / "sweep.toml");
  replace_facts();
  Watcher watcher;
  const std::string message =
      refused([&] { sweep(drawn(Search::random, 4), at("out"), &watcher); });
  EXPECT_TRUE(contains(message, "trials.jsonl:1: trial 1 was trained on other facts")) << message;
  EXPECT_TRUE(contains(message, "bring the former facts back, or name another --out")) << message;
  EXPECT_TRUE(watcher.ahead.empty());
  EXPECT_EQ(read_bytes(at("out") / "sweep.toml"), asked);
  bring_facts_back();
  EXPECT_EQ(sweep(drawn(Search::random, 4), at("out")).trials.size(), 4U);
}

TEST_F(SweepFacts, RunsOfOtherFactsAreNotTakenForResults) {
  SweepOptions options = grid();
  options.keep_runs = 6;
  sweep(options, at("out"));
  std::filesystem::remove(at("out") / "trials.jsonl");  // as if ended before the first line
  replace_facts();
  Watcher watcher;
  const std::string message = refused([&] { sweep(options, at("out"), &watcher); });
  EXPECT_TRUE(contains(message, "1-1: holds a run on other facts")) << message;
  EXPECT_EQ(watcher.epochs, 0);
  EXPECT_TRUE(watcher.results.empty());
}

TEST_F(SweepFacts, FactsAreReadOnceWhateverHappensToTheirFiles) {
  sweep(grid(), at("whole"));
  Meddler meddler(2, [&] { replace_facts(); });
  EXPECT_TRUE(sweep(grid(), at("replaced"), &meddler).complete);
  EXPECT_EQ(log("replaced"), log("whole"));
  bring_facts_back();
  Meddler thief(1, [&] { std::filesystem::remove_all(at("data")); });
  EXPECT_TRUE(sweep(grid(), at("removed"), &thief).complete);
  EXPECT_EQ(log("removed"), log("whole"));
}

TEST_F(SweepFacts, ClassesOfYearsAreReadBeforeTheFirstTrial) {
  write_world("data", true);
  SweepOptions options = grid();
  options.searched = {{.name = "min-facts", .values = {"1", "60", "200"}}};
  sweep(options, at("whole"));
  Meddler thief(1, [&] { std::filesystem::remove_all(at("data")); });
  EXPECT_TRUE(sweep(options, at("out"), &thief).complete);
  EXPECT_EQ(log("out"), log("whole"));
  for (const auto& line : log("out"))
    EXPECT_EQ(line["data_fingerprint"].get<std::string>().size(), 64U);  // the same in all
}

TEST_F(SweepFacts, TheyMayBeInMemory) {
  sweep(grid(), at("whole"));
  SweepOptions options = grid();
  options.data = in_memory(Dataset::open(options.fixed.data));
  options.seeds = 1;
  std::filesystem::remove_all(at("data"));
  Watcher stopping(37);
  EXPECT_FALSE(sweep(options, at("out"), &stopping).complete);
  EXPECT_TRUE(sweep(options, at("out")).complete);
  EXPECT_EQ(log("out"), log("whole"));
  EXPECT_TRUE(contains(read_bytes(at("out") / "sweep.md"), "Data: facts in memory."));
  options.searched = {{.name = "min-facts", .values = {"1", "60"}}};
  const Error error = caught([&] { sweep(options, at("again")); });
  EXPECT_EQ(error.option(), "min-facts");
  EXPECT_TRUE(contains(error.message(), "the facts were read already"));
}

TEST_F(SweepFacts, ThoseThatASeedHasCutAreOfOneSeed) {
  SweepOptions options = grid();
  DataOptions how;
  how.split = "80/10/10";
  how.seed = 5;
  const auto file = scratch_.write("facts.txt", world_lines(0, 270, false)).string();
  options.data = Dataset::open(file, how);
  EXPECT_EQ(caught([&] { sweep(options, at("out")); }).option(), "seed");
  EXPECT_FALSE(std::filesystem::exists(at("out")));
  options.fixed.seed = 5;
  EXPECT_TRUE(sweep(options, at("out")).complete);
}

TEST_F(SweepFacts, GoesOnWithFactsThatWereMoved) {
  SweepOptions options = grid();
  sweep(options, at("whole"));
  for (const int most : {37, 44}) {  // inside a run, and inside another
    Watcher watcher(most);
    EXPECT_FALSE(sweep(options, at("parts"), &watcher).complete);
  }
  std::filesystem::rename(at("data"), at("moved"));
  options.fixed.data = at("moved").string();
  const Sweep result = sweep(options, at("parts"));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(log("parts"), log("whole"));
  EXPECT_TRUE(contains(read_bytes(at("parts") / "best.toml"), at("moved").string()));
  EXPECT_TRUE(contains(read_bytes(at("parts") / "sweep.toml"), at("moved").string()));
}

}  // namespace
}  // namespace orrery
