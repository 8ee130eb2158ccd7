// Training: options in, a run directory out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

// Everything that decides a run. src/learn/options.h describes each of them in a sentence.
struct TrainOptions {
  std::string data;
  std::string granularity = "auto";
  std::int64_t min_facts = 1;
  std::string split;
  bool skip_bad = false;

  std::string model = "bsca";
  std::int64_t dim = 256;
  std::string attention;
  std::string product;
  std::vector<std::string> without;
  double start_scale = 0.01;

  std::int64_t epochs = 30;
  std::int64_t batch = 6000;
  double lr = 0.1;
  double lambda_n3 = 0.008;
  double lambda_time = 0.01;
  std::string norm = "complex";
  double exponent = 3;
  double dropout = 0;
  double average = 0;
  std::uint64_t seed = 1;

  std::int64_t eval_every = 0;
  std::int64_t patience = 0;

  std::string precision = "fp32";
  std::int64_t threads = 0;
  std::string memory;
};

struct Scores {
  double mrr = 0;
  double hits1 = 0;
  double hits3 = 0;
  double hits10 = 0;
};

struct RunStart {
  std::int64_t examples = 0;  // a pass, reciprocals included
  std::int64_t parameters = 0;
  std::int32_t entities = 0, relations = 0, times = 0;
  std::int64_t bad_lines = 0;      // left out by skip_bad
  std::int64_t resumed_epoch = 0;  // 0: a fresh run
  std::string engine;
};

struct StepReport {
  std::int64_t epoch = 0, epochs = 0;
  std::int64_t step = 0, steps = 0;  // of this epoch
  double loss = 0;                   // mean of this epoch so far
  double examples_per_second = 0;
  double seconds_left = 0;
};

struct EpochReport {
  std::int64_t epoch = 0;
  double loss = 0, cross_entropy = 0, n3 = 0, time = 0;
  double seconds = 0, examples_per_second = 0;
  std::optional<Scores> valid;
  bool best = false;
};

// The library never prints: it tells an observer.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  virtual void on_start(const RunStart&) {}
  virtual void on_step(const StepReport&) {}
  virtual void on_epoch(const EpochReport&) {}
  // Asked between steps; true ends the run with its state saved.
  virtual bool stop_requested() { return false; }
};

struct TrainSummary {
  enum class Ending { finished, early_stop, interrupted };
  Ending ending = Ending::finished;
  std::int64_t epochs_done = 0;
  std::int64_t best_epoch = 0;  // 0: no validation was asked for
  std::optional<Scores> best_valid;
  double loss = 0;
  double seconds = 0;
  std::string data_fingerprint;
};

// `run` must not hold a run yet.
TrainSummary train(const TrainOptions& options, const std::filesystem::path& run,
                   TrainObserver* observer = nullptr);
// Continues an interrupted or finished run; the result is that of an uninterrupted one, to the
// byte. `epochs`, if given, replaces the run's number of epochs.
TrainSummary resume(const std::filesystem::path& run, std::optional<std::int64_t> epochs = {},
                    TrainObserver* observer = nullptr);

}  // namespace orrery
