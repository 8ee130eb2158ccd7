#include "sweep/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "facts/scratch.h"
#include "learn/small_model.h"
#include "orrery/report.h"

namespace orrery {
namespace {

using testing::contains;

Sweep sweep_of(std::int64_t good, std::int64_t failed) {
  Sweep sweep;
  sweep.options.fixed.data = "world";
  sweep.options.searched = {{.name = "lr", .values = {"0.1", "0.2"}}};
  for (std::int64_t number = 1; number <= good + failed; ++number) {
    Trial trial;
    trial.number = number;
    trial.values = {{"lr", "0.1"}};
    trial.failed = number > good;
    if (trial.failed)
      trial.reason = "the loss is not finite";
    else
      trial.runs.resize(1);
    sweep.trials.push_back(trial);
  }
  sweep.rungs = {{4, good + failed}};
  sweep.valid_questions = 60;
  sweep.complete = true;
  return sweep;
}

TEST(SweepReport, TablesSayWhereTheyAreCut) {
  const testing::ScratchDirectory scratch;
  const auto page_of = [&](Sweep sweep) {
    sweep.out = scratch.path();
    write_sweep_report(sweep);
    return testing::read_bytes(scratch.path() / "sweep.md");
  };
  const std::string cut = page_of(sweep_of(37, 12));
  EXPECT_TRUE(contains(cut, "The best 20 of 37 trials: ")) << cut;
  EXPECT_TRUE(contains(cut, "Trials that failed: 10 of 12")) << cut;
  EXPECT_TRUE(contains(sweep_table(sweep_of(37, 12)), "The best 20 of 37 trials: "));
  const std::string whole = page_of(sweep_of(20, 10));
  EXPECT_TRUE(contains(whole, "The best trials: ")) << whole;
  EXPECT_FALSE(contains(whole, "10 of 10")) << whole;
  EXPECT_FALSE(contains(whole, "20 of 20")) << whole;
}

TEST(SweepReport, ScoresStandBeforeTheOptions) {
  const testing::ScratchDirectory scratch;
  Sweep sweep = sweep_of(1, 0);
  sweep.out = scratch.path();
  sweep.trials.front().mean = {.mrr = 0.178, .hits1 = 0.1, .hits3 = 0.2, .hits10 = 0.3};
  EXPECT_TRUE(contains(sweep_table(sweep),
                       "trial    MRR  Hits@1  Hits@3  Hits@10   lr  best epoch  seconds\n"
                       "1      17.80   10.00   20.00    30.00  0.1 "))
      << sweep_table(sweep);
  write_sweep_report(sweep);
  const std::string page = testing::read_bytes(scratch.path() / "sweep.md");
  const auto cells = [&](const std::string& first, const std::string& then) {
    const auto at = page.find(first);
    return at != std::string::npos && page.find(then, at) < page.find('\n', at);
  };
  EXPECT_TRUE(cells("MRR", "Hits@10") && cells("Hits@10", " lr ")) << page;
}

TEST(SweepReport, SaysWhatMayBeChance) {
  EXPECT_TRUE(contains(sweep_table(sweep_of(1, 0)),
                       "60 validation questions: differences of up to 6.5 points may be chance."));
  Sweep large = sweep_of(1, 0);
  large.valid_questions = 17926;
  EXPECT_TRUE(
      contains(sweep_table(large), "17,926 validation questions: differences of up to 0.4 points"));
}

TEST(SweepReport, OneTrialIsNotOneTrials) {
  EXPECT_TRUE(contains(sweep_table(sweep_of(1, 0)), ", 1 trial."));
  EXPECT_TRUE(contains(sweep_table(sweep_of(2, 0)), ", 2 trials."));
}

}  // namespace
}  // namespace orrery
