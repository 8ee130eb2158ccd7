// Hyperparameter search: trials of training, ranked by their validation scores.
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

// An option and the values to try: texts as on the command line ("0.1", "split",
// "time_add,relation_add"), or a range of numbers to draw from.
struct SearchedOption {
  std::string name;  // as in config files
  std::vector<std::string> values = {};
  std::optional<SearchedRange> range = {};
};

enum class Search {
  grid,     // every combination of the values
  random,   // `trials` random draws
  halving,  // random draws that start with few epochs; only the best get more
};

std::string_view name_of(Search search);
// An unknown name is a request Error.
Search search_named(std::string_view name);

struct SweepOptions {
  TrainOptions fixed =
      comparison_defaults();  // options that are not searched; validation must be on
  std::vector<SearchedOption> searched;
  std::optional<Dataset> data = {};  // empty: the data option of `fixed`
  Search search = Search::grid;
  std::optional<std::int64_t> trials = {};  // random and halving: number of draws
  std::int64_t seeds = 1;                   // runs per trial, with seeds from `fixed.seed` on
  std::optional<std::int64_t> keep = {};    // halving: one in `keep` trials continues; default 3
  std::optional<std::int64_t> first_epochs = {};  // halving: epochs of the first rung
  std::int64_t keep_runs = 1;                     // number of best trials whose runs are kept
  std::map<std::string, Place> origins;           // file and line of each option, for messages
  std::string file;                               // the sweep file, for messages
};

// A config file whose lines may also list values or a range: `dropout = [0, 0.1]`, `lr = "0.01 ..
// 0.3 log"`, `dim = "256 .. 1024 step 256"`; with the sweep's own lines `search`, `trials`,
// `seeds`, `keep`, `first-epochs` and `keep-runs`.
SweepOptions read_sweep(const std::filesystem::path& file);

// Sets options that are not searched, as on the command line; a searched one is a request Error.
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
  std::int64_t rung = 1, epochs = 0;  // the last rung it reached, and that rung's epochs
  bool failed = false;
  std::string reason;          // why it failed
  std::vector<TrialRun> runs;  // by seed; empty for a failed trial
  Scores mean, deviation;      // validation scores over the seeds; one seed: deviation 0
  double first_mrr = 0;        // the mean MRR at the first rung, where all trials can be compared
  double seconds = 0;          // of all its runs
};

struct Rung {
  std::int64_t epochs = 0, trials = 0;
};

struct Sweep {
  SweepOptions options;  // with every default filled in
  std::string data_fingerprint;
  std::int64_t valid_questions = 0;            // queries per validation
  std::vector<Rung> rungs;                     // more than one only with halving
  std::vector<Trial> trials;                   // with a result; best mean MRR first, failed last
  std::int64_t results_done = 0, results = 0;  // one per trial and rung
  bool complete = false;                       // false: interrupted
  std::filesystem::path out;
  bool has_best() const { return !trials.empty() && !trials.front().failed; }
};

TrainOptions options_of(const SweepOptions& options, const Trial& trial);
// The directory of a trial's run. Only the best trials keep theirs (keep_runs).
std::filesystem::path run_of_trial(const std::filesystem::path& out, std::int64_t trial,
                                   std::uint64_t seed);
// "dropout 0.1, lr 0.05"
std::string words_of(const std::vector<std::pair<std::string, std::string>>& values);

// The run that is about to start.
struct TrialAhead {
  std::int64_t trial = 0, of = 0;  // number of this trial, and of all trials
  std::vector<std::pair<std::string, std::string>> values;
  std::uint64_t seed = 0;
  std::int64_t run = 0, runs = 0;  // within the trial
  std::int64_t rung = 1, rungs = 1, epochs = 0;
  std::int64_t results_done = 0, results = 0;
  std::int64_t epochs_left = 0;    // in all remaining runs, this one included
  std::optional<double> best_mrr;  // so far
};

class SweepObserver : public TrainObserver {
 public:
  virtual void on_trial(const TrialAhead&) {}
  virtual void on_result(const Trial&) {}
};

// Writes into `out`: sweep.toml (the sweep's options), trials.jsonl (one line per trial and rung),
// best.toml (config of the best trial so far), runs/TRIAL-SEED (runs of the best trials and of
// unfinished ones), and at the end or when stopped sweep.json, sweep.md and sweep.html.
// The same call continues an interrupted sweep. Other options or other facts are then an Error,
// except that a random search may be given more trials. A trial whose model diverges or does not
// fit into memory is recorded as failed, and the sweep continues; any other Error ends it. The test
// split is not used. Before anything is trained, these are Errors: wrong options, a searched option
// that has no effect, and a directory that holds something else.
Sweep sweep(const SweepOptions& options, const std::filesystem::path& out,
            SweepObserver* observer = nullptr);

}  // namespace orrery
