// The list of models, and what follows from a model and its dimension.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/options.h"

namespace orrery {

struct ModelChoice {
  std::string name;                 // of the option
  std::vector<std::string> values;  // the default first
};

struct ModelInfo {
  std::string name, title, paper, formula;
  std::string score;                 // scoring function
  std::string parameters;            // "dim · (entities + 3 relation embeddings + 3 times)"
  std::vector<ModelChoice> choices;  // between variants
  std::vector<std::string> without;  // embeddings that may be left out
  std::vector<std::string> special_options;  // training options that only some models have
};
std::vector<ModelInfo> models();

// The number of components of the model's algebra; the dimension must be a multiple of it. An
// unknown model or choice, and an auxiliary loss that the model lacks, is a request Error.
std::int64_t dim_unit(const TrainOptions& options);
// Of the options' model, choices and dimension on these facts.
std::int64_t parameter_count(const TrainOptions& options, const Dataset& data);
// The largest dimension (a multiple of the algebra's size and of 8) with at most `budget`
// parameters.
std::int64_t widest_dim(const TrainOptions& options, const Dataset& data, std::int64_t budget);
// Whether both train the same formula with the same options; a default counts as if written.
bool same_model(const TrainOptions& first, const TrainOptions& second);
// Why an option's value makes no difference in training on these facts ("dropout is 0"); empty: it
// may make one.
std::string why_no_effect(std::string_view option, const TrainOptions& options,
                          const Dataset& data);

}  // namespace orrery
