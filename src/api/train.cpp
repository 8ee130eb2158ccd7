#include "orrery/train.h"

#include "api/judged_run.h"
#include "api/run_training.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "learn/options.h"

namespace orrery {

TrainSummary train(const TrainOptions& options, const std::filesystem::path& run,
                   TrainObserver* observer) {
  TrainOptions kept = options;
  kept.data = absolute_path(options.data);
  check_options(kept);
  const auto held = HeldDirectory::make(run);
  require_free(run);
  TrainObserver silent;
  return carry_out_training(RunDirectory(run), {}, kept, observer != nullptr ? *observer : silent);
}

TrainSummary resume(const std::filesystem::path& run, const OptionChange& change,
                    TrainObserver* observer) {
  RunDirectory::open(run);
  const auto held = HeldDirectory::existing(run);
  const RunDirectory directory(run);
  const TrainOptions config = config_of(directory);
  TrainOptions wanted = config;
  if (change) change(wanted);
  wanted.data = absolute_path(wanted.data);
  check_options(wanted);
  for (const OptionDifference& found : differences(config, wanted))
    if (found.decides == Decides::result)
      fail_request("--{} cannot be changed by --resume (it is {}); {} can", found.name, found.first,
                   options_of_resume());
  const RunStanding standing = standing_of(directory, {wanted, "start a new run with --config"});
  if (standing.stage == RunStage::finished && !directory.has_model())
    fail_request(
        "{}: was finished, but its model.safetensors is gone; bring it back, or train anew",
        run.string());
  TrainObserver silent;
  return carry_out_training(directory, standing, wanted, observer != nullptr ? *observer : silent);
}

}  // namespace orrery
