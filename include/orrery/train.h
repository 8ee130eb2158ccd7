// Training: options in, a run directory out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

// Everything that decides a run; `orrery train --help` lists the bounds.
struct TrainOptions {
  std::string data;                  // directory with train/valid/test, or one file with `split`
  std::string granularity = "auto";  // of time: auto, day, week, month or year
  std::int64_t min_facts = 1;        // interval facts: years are pooled until a class has so many
  std::string split;                 // shares for a single file, "80/10/10"; empty for a directory
  bool skip_bad = false;             // leave bad lines out, instead of an Error

  std::string model = "bsca";  // `orrery models` lists them
  std::int64_t dim = 256;      // reals a row
  // Of the model's variants, {"attention", "split"}; empty or missing: the model's default.
  std::map<std::string, std::string> choices;
  std::vector<std::string> without;  // rows to switch off, such as "time_add"
  double start_scale = 0.01;  // rows start as N(0, 1) times this, unless the model says otherwise
  std::int64_t window = 120;  // times that share a row, in models with windows of time

  std::int64_t epochs = 30;
  std::int64_t warmup = 0;       // epochs that a model with a smaller algebra inside stays in it
  std::int64_t batch = 6000;     // examples a step; a fact gives one per direction
  std::int64_t negatives = 0;    // drawn candidates a step, beside its answers; 0: every entity
  double relation_loss = 0;      // weight of asking for a fact's relation too
  double time_loss = 0;          // the same for its time
  double lr = 0.1;               // of Adagrad
  double lambda_n3 = 0.008;      // weight of the factors' norms
  double lambda_time = 0.01;     // weight of the differences of neighbouring times
  std::string norm = "complex";  // of both regularisers: complex or biquaternion
  double exponent = 3;           // the p of the regularisers' |x|^p
  double time_exponent = 0;      // the same for differences of times alone; 0: `exponent`
  double dropout = 0;            // share of the factors dropped in training
  std::string dropout_of = "component";  // what is dropped: component, or lane (a whole number)
  double average = 0;              // decay of a running average of the rows, once an epoch; 0: off
  double teacher = 0;              // share of the average's own answers among the targets; 0: none
  std::int64_t teacher_from = 10;  // epochs before it begins to teach, and patience to count
  std::uint64_t seed = 1;          // also of the split of a single file

  std::int64_t eval_every = 0;  // validate every so many epochs; 0: never
  std::int64_t patience = 0;    // stop after so many validations without a better MRR; 0: never

  std::string device = "auto";     // cpu, cuda, cuda:N, or auto: the first GPU, else the CPU
  std::string precision = "auto";  // of the matrix products: auto, fp32, tf32 or bf16
  std::int64_t threads = 0;        // 0: every core; never changes the result
  std::string memory;              // of the device, such as "4G"; empty: most of what is free
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
  std::vector<std::string> first_bad_lines;  // "file:line: reason"
  std::int64_t bad_lines = 0;                // left out by skip_bad
  std::int64_t resumed_epoch = 0;            // 0: a fresh run
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
  double loss = 0, cross_entropy = 0, n3 = 0, time = 0;  // cross_entropy: with what is taught
  double sides = 0;  // of asking for relations and times, weighted as in the loss
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
  // What a person should know, and what ends nothing: a save that failed and is tried again.
  virtual void on_warning(const std::string&) {}
  // Asked between steps, and in long validations; true ends the run with its state saved.
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
  double epoch_seconds = 0;   // of an epoch that was interrupted, its steps so far
  bool was_finished = false;  // before: this time there was nothing to do
  // Bytes: of a GPU what was taken of it, else the most that the process had, the last time it ran.
  std::uint64_t peak_memory = 0;
  std::string data_fingerprint;
  std::string engine;  // what it ran on, this time
};

// `run` must not hold a run yet. Of several calls for one directory at a time one is let in.
TrainSummary train(const TrainOptions& options, const std::filesystem::path& run,
                   TrainObserver* observer = nullptr);
// Continues a run that was interrupted, or that is to go on further; a finished one is left as it
// is. `change` may give it other options of those that decide no result (--resume of `orrery train
// --help` lists them; no fewer epochs than are done); any other change is a request Error. With the
// same epochs on the same kind of device the result is that of an uninterrupted run, to the byte.
using OptionChange = std::function<void(TrainOptions&)>;
TrainSummary resume(const std::filesystem::path& run, const OptionChange& change = {},
                    TrainObserver* observer = nullptr);

}  // namespace orrery
