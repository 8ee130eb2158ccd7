// A search for good options: many trials of training, ranked by what validation says of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/compare.h"
#include "orrery/error.h"

namespace orrery {

struct SearchedRange {
  double from = 0, to = 0;  // both included
  bool logarithmic = false;
};

// An option and what it is tried with: values as on the command line ("0.1", "split",
// "time_add,relation_add"), or a range of numbers to draw from.
struct SearchedOption {
  std::string name;  // as in config files
  std::vector<std::string> values = {};
  std::optional<SearchedRange> range = {};
};

enum class Search {
  grid,     // every combination of the values
  random,   // so many trials, drawn from the seed
  halving,  // drawn likewise; all begin with few epochs, and only the best are given more
};

std::string_view name_of(Search search);
// An unknown name is a request Error.
Search search_named(std::string_view name);

struct SweepOptions {
  TrainOptions fixed = comparison_defaults();  // all that is not searched; validation is needed
  std::vector<SearchedOption> searched;
  std::optional<Dataset> data = {};  // empty: the facts that `fixed` names
  Search search = Search::grid;
  std::optional<std::int64_t> trials = {};        // random and halving: how many are drawn
  std::int64_t seeds = 1;                         // runs of a trial, from `fixed.seed` on
  std::optional<std::int64_t> keep = {};          // halving: one of so many goes on; 3
  std::optional<std::int64_t> first_epochs = {};  // halving: of the first rung
  std::int64_t keep_runs = 1;                     // so many of the best trials keep their runs
  std::map<std::string, Place> origins;           // lines of options, for messages
  std::string file;                               // that it was read from, for messages
};

// A config file whose lines may also search: `dropout = [0, 0.1]`, `lr = "0.01 .. 0.3 log"`,
// `dim = "256 .. 1024 step 256"`; with the sweep's own lines `search`, `trials`, `seeds`, `keep`,
// `first-epochs` and `keep-runs`.
SweepOptions read_sweep(const std::filesystem::path& file);

// Fixes options, in the words of the command line. One that is searched is refused.
void fix_options(SweepOptions& options, const OptionChanges& changes);

struct TrialRun {
  std::uint64_t seed = 0;
  Scores valid;  // of its best epoch
  std::int64_t best_epoch = 0, epochs_done = 0;
  double seconds = 0;
};

struct Trial {
  std::int64_t number = 0;                                  // from 1
  std::vector<std::pair<std::string, std::string>> values;  // of the searched options
  std::int64_t parameters = 0;
  std::int64_t rung = 1, epochs = 0;  // the last it came to, and the epochs allowed there
  bool failed = false;
  std::string reason;          // why it failed
  std::vector<TrialRun> runs;  // by seed; none of a trial that failed
  Scores mean, deviation;      // of validation, over the seeds; the deviation of one is 0
  double first_mrr = 0;        // the mean MRR at the first rung, where all trials can be compared
  double seconds = 0;          // of all its runs
};

struct Rung {
  std::int64_t epochs = 0, trials = 0;
};

struct Sweep {
  SweepOptions options;  // with every default filled in
  std::string data_fingerprint;
  std::int64_t valid_questions = 0;  // that each validation asks
  std::vector<Rung> rungs;           // one, but for halving
  std::vector<Trial> trials;         // those with a result, best mean MRR first, failed ones last
  std::int64_t results_done = 0, results = 0;  // a result is of a trial at a rung
  bool complete = false;                       // nothing is left to do
  std::filesystem::path out;
  bool has_best() const { return !trials.empty() && !trials.front().failed; }
};

TrainOptions options_of(const SweepOptions& options, const Trial& trial);
// The directory of a trial's run; runs of trials that are not among the best are removed.
std::filesystem::path run_of_trial(const std::filesystem::path& out, std::int64_t trial,
                                   std::uint64_t seed);
// "dropout 0.1, lr 0.05"
std::string words_of(const std::vector<std::pair<std::string, std::string>>& values);

// The run that comes next.
struct TrialAhead {
  std::int64_t trial = 0, of = 0;  // its number, and how many trials there are
  std::vector<std::pair<std::string, std::string>> values;
  std::uint64_t seed = 0;
  std::int64_t run = 0, runs = 0;  // of the trial
  std::int64_t rung = 1, rungs = 1, epochs = 0;
  std::int64_t results_done = 0, results = 0;
  std::int64_t epochs_left = 0;    // of all runs that are to come, this one included
  std::optional<double> best_mrr;  // so far
};

class SweepObserver : public TrainObserver {
 public:
  virtual void on_trial(const TrialAhead&) {}
  virtual void on_result(const Trial&) {}
};

// In `out`: sweep.toml (what was asked), trials.jsonl (a line a trial and rung), best.toml (a
// config of the best trial so far), runs/TRIAL-SEED (of the best, and what is still needed), and at
// the end or after a stop sweep.json, sweep.md and sweep.html. The same call goes on where the last
// one stopped; with other options or other facts it is refused, but random search may be given more
// trials. A trial whose model diverges or does not fit into memory is recorded, and the others go
// on; any other Error ends the sweep. No question of the test split is asked. What cannot be, what
// would change nothing, and a directory that holds something else is an Error before anything is
// trained.
Sweep sweep(const SweepOptions& options, const std::filesystem::path& out,
            SweepObserver* observer = nullptr);

}  // namespace orrery
