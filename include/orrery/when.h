// When? What says at which time a fact was, beside a model's own scores, and how well it says it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/facts.h"

namespace orrery {

// Fitted on validation after training; a model of facts with one time each holds it. Times are
// compared by model · (log-odds of object and subject then) + Σ activity · how much more train
// tells of the fact's parts around that time than usual (docs/predict.md).
struct WhenFit {
  double model = 1;
  std::vector<double> activity = {};
  std::uint64_t facts = 0;  // of validation, that it was fitted on

  friend bool operator==(const WhenFit&, const WhenFit&) = default;
};

// Ranks of the true time among all times of the model; other times at which the same fact is known
// to be true are left out, and of equal times half count.
struct TimeRanks {
  double mean = 0, median = 0, mrr = 0, hits10 = 0;
};

struct WhenReport {
  Split split = Split::test;
  std::uint64_t facts = 0;            // that were asked for
  std::int32_t times = 0;             // candidates
  TimeRanks model;                    // by the model's scores alone
  std::optional<TimeRanks> fit = {};  // by its fit; none: it has none
};

class Dataset;
class Model;

// Of at most `most` facts of a split, which are drawn, by scores with the model's history. A model
// of intervals, or an empty split, is a request Error.
WhenReport measure_when(const Model& model, const Dataset& data, Split split = Split::test,
                        std::size_t most = 1000);

}  // namespace orrery
