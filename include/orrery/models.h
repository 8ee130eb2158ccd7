// The models as data.
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
  std::string name;                 // an option of a training
  std::vector<std::string> values;  // the default first
};

struct ModelInfo {
  std::string name, title, paper, formula;
  std::string compared_by;                   // how a query is held against a candidate
  std::string parameters;                    // "dim · (entities + 3 relation rows + 3 times)"
  std::vector<ModelChoice> choices;          // between variants
  std::vector<std::string> without;          // embeddings that may be left out
  std::vector<std::string> special_options;  // of training, that only some models have
};
std::vector<ModelInfo> models();

// The dimension must be a multiple of it: the size of the algebra. A model, a choice or an
// auxiliary loss that there is not is a request Error.
std::int64_t dim_unit(const TrainOptions& options);
// With the options' model, choices and dimension on these facts.
std::int64_t parameter_count(const TrainOptions& options, const Dataset& data);
// The largest dimension (a multiple of the algebra's size and of 8) with at most `budget`
// parameters.
std::int64_t widest_dim(const TrainOptions& options, const Dataset& data, std::int64_t budget);
// True where both train the same formula under the same options, however choices are written.
bool same_model(const TrainOptions& first, const TrainOptions& second);
// Why the value of an option makes no difference in a training on these facts ("dropout is 0");
// empty: it may make one.
std::string why_no_effect(std::string_view option, const TrainOptions& options,
                          const Dataset& data);

}  // namespace orrery
