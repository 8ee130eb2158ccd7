// A small search before a training: the options that nobody named, tried for a given time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orrery/defaults.h"
#include "orrery/scores.h"
#include "orrery/train.h"

namespace orrery {

struct TuneTrial {
  OptionChanges changes;  // from the options that fit the data set; the first trial has none
  std::optional<Scores> valid;
  double seconds = 0;
  bool best = false;  // so far
};

class TuneObserver {
 public:
  virtual ~TuneObserver() = default;
  virtual void on_trial(const TuneTrial&) {}
  virtual bool stop_requested() { return false; }
};

struct Tuning {
  TrainOptions options;  // those of the best trial
  std::vector<TuneTrial> trials;
  bool interrupted = false;  // by the observer; otherwise the time was up
};

// Trains models in memory for about `seconds`, each until its validation MRR no longer grows, and
// returns the options of the best. `given` options stay. Needs facts to validate with.
Tuning tune(const Dataset& data, const OptionChanges& given, double seconds,
            TuneObserver* observer = nullptr);

// "90s", "5m", "1.5h" in seconds; anything else is a request Error.
double seconds_of(const std::string& duration);

}  // namespace orrery
