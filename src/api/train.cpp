#include "orrery/train.h"

#include "data/filter_index.h"
#include "data/load.h"
#include "judge/judge.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "learn/trainer.h"

namespace orrery {
namespace {

Scores scores_of(const Metrics& m) { return {m.mrr, m.hits1, m.hits3, m.hits10}; }

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
  trainer.report_start(static_cast<std::int64_t>(loaded.bad_lines));
  return trainer.train();
}

}  // namespace

TrainSummary train(const TrainOptions& options, const std::filesystem::path& run,
                   TrainObserver* observer) {
  return run_training(options, run, true, observer);
}

TrainSummary resume(const std::filesystem::path& run, std::optional<std::int64_t> epochs,
                    TrainObserver* observer) {
  TrainOptions options = RunDirectory::open(run).read_config();
  if (epochs) options.epochs = *epochs;
  return run_training(options, run, false, observer);
}

}  // namespace orrery
