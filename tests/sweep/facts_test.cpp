// A sweep is of one set of facts, wherever they lie.
#include <functional>

#include "sweep/watcher.h"

namespace orrery {
namespace {

using testing::contains;
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

TEST_F(SweepFacts, FactsThatChangeWhileItRunsEndIt) {
  Meddler meddler(2, [&] { replace_facts(); });
  EXPECT_TRUE(contains(refused([&] { sweep(grid(), at("out"), &meddler); }),
                       "2-1: was trained on other facts"));
  EXPECT_EQ(log("out").size(), 1U);
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

TEST_F(SweepFacts, DataThatIsGoneEndsTheSweepAndNoTrialIsToBlame) {
  sweep(grid(), at("whole"));
  Meddler thief(3, [&] { std::filesystem::rename(at("data"), at("stolen")); });
  EXPECT_TRUE(contains(refused([&] { sweep(grid(), at("parts"), &thief); }), "data"));
  EXPECT_EQ(log("parts").size(), 2U);
  std::filesystem::rename(at("stolen"), at("data"));
  EXPECT_TRUE(sweep(grid(), at("parts")).complete);
  EXPECT_EQ(log("parts"), log("whole"));
}

}  // namespace
}  // namespace orrery
