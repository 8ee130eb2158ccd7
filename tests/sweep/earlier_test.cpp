// A sweep that an earlier version began, with the names that options had then.
#include "api/former_names.h"
#include "sweep/watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::SweepRuns;
using testing::Watcher;
using testing::with_former_names;

class EarlierSweeps : public SweepRuns {
 protected:
  SweepOptions teaching() const {
    SweepOptions options = grid();
    options.fixed.ema = 0.5;
    options.fixed.self_distillation_from = 1;
    options.searched = {{.name = "self-distillation", .values = {"0", "0.2", "0.4"}}};
    return options;
  }
  void make_earlier(const std::string& out) const {
    for (const std::string& run : runs_in(out))
      rewrite(fmt::format("{}/runs/{}/config.toml", out, run));
    rewrite(out + "/sweep.toml");
    std::string log;
    std::istringstream lines(read_bytes(at(out) / "trials.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      auto json = nlohmann::ordered_json::parse(line);
      json["options"] = {{"teacher", json["options"]["self-distillation"]}};
      for (auto& run : json["runs"]) run.erase("queries");
      log += json.dump() + "\n";
    }
    scratch_.write(out + "/trials.jsonl", log);
  }

 private:
  void rewrite(const std::string& file) const {
    const std::string text = with_former_names(read_bytes(at(file)));
    EXPECT_TRUE(contains(text, "\naverage = 0.5\n")) << text;
    scratch_.write(file, text);
  }
};

TEST_F(EarlierSweeps, IsGoneOnWith) {
  sweep(teaching(), at("whole"));
  Watcher first(40);  // ends in the second trial
  EXPECT_FALSE(sweep(teaching(), at("out"), &first).complete);
  ASSERT_EQ(log("out").size(), 1U);
  make_earlier("out");
  Watcher second;
  const Sweep result = sweep(teaching(), at("out"), &second);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(second.results.size(), 2U);
  EXPECT_EQ(second.results[0].number, 2);
  for (const std::string& run : runs_in("whole"))
    expect_same_run("whole/runs/" + run, "out/runs/" + run);
}

TEST_F(EarlierSweeps, IsNotDoneAgain) {
  const Sweep before = sweep(teaching(), at("out"));
  make_earlier("out");
  Watcher watcher;
  const Sweep after = sweep(teaching(), at("out"), &watcher);
  EXPECT_EQ(watcher.epochs, 0);
  ASSERT_EQ(after.trials.size(), before.trials.size());
  for (std::size_t i = 0; i < after.trials.size(); ++i) {
    EXPECT_EQ(after.trials[i].number, before.trials[i].number);
    EXPECT_EQ(after.trials[i].values, before.trials[i].values);
    EXPECT_EQ(after.trials[i].mean, before.trials[i].mean);
  }
}

// As a caller who has not heard of the new names may ask.
TEST_F(EarlierSweeps, MayBeAskedForByFormerNames) {
  sweep(teaching(), at("out"));
  SweepOptions options = teaching();
  options.searched[0].name = "teacher";
  Watcher watcher;
  EXPECT_TRUE(sweep(options, at("out"), &watcher).complete);
  EXPECT_TRUE(watcher.ahead.empty());
}

}  // namespace
}  // namespace orrery
