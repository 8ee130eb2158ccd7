#include "compare/facts.h"

#include "base/error.h"

namespace orrery {
namespace {

// A later process would cut the file in another way.
void check_seed(const Dataset& given, const TrainOptions& run) {
  if (!given.source().empty() && given.options().split_depends_on_seed() &&
      given.options().seed != run.seed)
    fail_request(About{.option = "seeds",
                       .place = {given.source()},
                       .advice = worded("name the file with $data, and each seed cuts it anew")},
                 "the facts were split with seed {}, and a run has seed {}", given.options().seed,
                 run.seed);
}

}  // namespace

const Dataset& Facts::of(const TrainOptions& options) {
  if (given_) {
    check_seed(*given_, options);
    return *given_;
  }
  const std::pair key(options.data, data_options(options));
  auto found = read_.find(key);
  if (found == read_.end()) found = read_.emplace(key, Dataset::open(key.first, key.second)).first;
  return found->second;
}

}  // namespace orrery
