#include "sweep/facts.h"

#include "base/error.h"

namespace orrery {

const Dataset& TrialFacts::of(const TrainOptions& options) {
  const std::pair key(options.data, data_options(options));
  const auto found = read_.find(key);
  if (found != read_.end()) return found->second;
  const Dataset data = given_ ? *given_ : Dataset::open(key.first, key.second);
  for (const Split split : {Split::train, Split::valid})
    if (data.facts(split).empty())
      fail_request(About{.option = "data", .place = {options.data}},
                   "a sweep needs train and valid, and {} is empty", name_of(split));
  return read_.emplace(key, data).first->second;
}

}  // namespace orrery
