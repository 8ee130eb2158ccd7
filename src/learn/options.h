// What the layers above and below make of the option table: config files, checkpoints' metadata and
// what may change when a run is resumed.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "orrery/options.h"

namespace orrery {

std::set<std::string> names_of_options(Decides decides);
// "--data, --epochs and --memory", marked for a message: those that a resumed run may be given
// anew.
std::string options_of_resume();

// Options that a run or a model recorded. What its record does not name is as it was before there
// was such an option.
TrainOptions read_recorded_options(std::string_view text, const std::string& file);

// The options that shape the model, as in config files: what a checkpoint says of its origin.
std::string shaping_options_to_toml(const TrainOptions& options);

}  // namespace orrery
