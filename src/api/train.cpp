#include "orrery/train.h"

#include <fmt/format.h>

#include "api/judged_run.h"
#include "data/filter_index.h"
#include "data/fingerprint.h"
#include "data/load.h"
#include "judge/judge.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "learn/trainer.h"

namespace orrery {
namespace {

TrainSummary run_training(const TrainOptions& options, const std::filesystem::path& run, bool fresh,
                          TrainObserver* observer) {
  check_options(options);
  const auto directory = fresh ? RunDirectory::create(run) : RunDirectory::open(run);
  LoadReport loaded;
  const Dataset data = load_dataset(options.data, load_options_of(options), &loaded);
  std::optional<FilterIndex> filter;
  const auto validate = [&](Engine& engine) {
    if (!filter) filter.emplace(data);
    return scores_of(judge(engine, data, *filter, Split::valid).pessimistic);
  };
  TrainObserver silent;
  Trainer trainer(options, data, fingerprint(data), directory, validate,
                  observer != nullptr ? *observer : silent);
  if (fresh)
    trainer.start_anew();
  else
    trainer.take_up();
  std::vector<std::string> bad_lines;
  for (const BadLine& bad : loaded.first_bad)
    bad_lines.push_back(fmt::format("{}:{}: {}", bad.file.string(), bad.line, bad.reason));
  trainer.report_start(static_cast<std::int64_t>(loaded.bad_lines), std::move(bad_lines));
  return trainer.train();
}

}  // namespace

TrainSummary train(const TrainOptions& options, const std::filesystem::path& run,
                   TrainObserver* observer) {
  TrainOptions kept = options;
  kept.data = absolute_path(options.data);
  return run_training(kept, run, true, observer);
}

TrainSummary resume(const std::filesystem::path& run, const ResumeOptions& changes,
                    TrainObserver* observer) {
  TrainOptions options = RunDirectory::open(run).read_config();
  if (changes.epochs) options.epochs = *changes.epochs;
  if (changes.data) options.data = absolute_path(*changes.data);
  if (changes.device) options.device = *changes.device;
  if (changes.threads) options.threads = *changes.threads;
  if (changes.memory) options.memory = *changes.memory;
  return run_training(options, run, false, observer);
}

}  // namespace orrery
