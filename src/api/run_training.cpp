#include "api/run_training.h"

#include <fmt/format.h>

#include "api/judged_run.h"
#include "base/error.h"
#include "data/filter_index.h"
#include "data/fingerprint.h"
#include "data/load.h"
#include "judge/judge.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "learn/trainer.h"

namespace orrery {
namespace {

struct StoppedValidating {};

// Scores models of a training on its validation split, unless the observer wants to stop.
class Validator {
 public:
  Validator(const TemporalGraph& data, TrainObserver& observer) : data_(data) {
    judging_.progress = [&observer](std::size_t done, std::size_t total) {
      if (done < total && observer.stop_requested()) throw StoppedValidating();
    };
  }

  std::optional<Scores> scores(Engine& engine) {
    if (!filter_) filter_.emplace(data_);
    try {
      return scores_of(judge(engine, data_, *filter_, Split::valid, judging_).pessimistic);
    } catch (const StoppedValidating&) {
      return {};
    }
  }

 private:
  const TemporalGraph& data_;
  std::optional<FilterIndex> filter_;
  JudgeOptions judging_;
};

}  // namespace

TrainSummary carry_out_training(const RunDirectory& run, const RunStanding& standing,
                                const TrainOptions& options, TrainObserver& observer) {
  if (standing.stage == RunStage::refused) throw standing.refusal.value();
  if (standing.stage == RunStage::finished) {
    TrainSummary summary = standing.summary.value();
    summary.was_finished = true;
    return summary;
  }
  check_options(options);
  LoadReport loaded;
  const TemporalGraph data = load_facts(options.data, load_options_of(options), &loaded);
  Validator validator(data, observer);
  Trainer trainer(
      options, data, fingerprint(data), run,
      [&](Engine& engine) { return validator.scores(engine); }, observer);
  forget_failure(run);
  if (standing.stage == RunStage::fresh)
    trainer.start_anew();
  else
    trainer.take_up();
  std::vector<std::string> bad_lines;
  for (const BadLine& bad : loaded.first_bad)
    bad_lines.push_back(fmt::format("{}:{}: {}", bad.file.string(), bad.line, bad.reason));
  trainer.report_start(static_cast<std::int64_t>(loaded.bad_lines), std::move(bad_lines));
  return trainer.train();
}

}  // namespace orrery
