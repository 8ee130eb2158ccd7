// Options that fit a data set: what a training uses where nobody says otherwise.
#pragma once

#include <string>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/model.h"
#include "orrery/options.h"

namespace orrery {

// A value that a rule chose, and why.
struct ChosenOption {
  std::string name, value, reason;
};

struct FittingOptions {
  TrainOptions options;
  std::vector<ChosenOption> chosen;  // what was given is not among them
};

// The rules are measured (docs/defaults.md): dimension, batch, epochs, validation, dropout, history
// and the weights of both regularisers follow from the counts of the data set. What is given stays,
// in the words of the command line: {"dim", "64"}.
FittingOptions fitting_options(const Dataset& data, const OptionChanges& given = {});

// `given`, and the options of a model that a training which starts from it must have: model, dim,
// choices, embeddings left out, and how times are read. What is given stays.
OptionChanges options_to_start_from(const Model& model, const OptionChanges& given = {});

}  // namespace orrery
