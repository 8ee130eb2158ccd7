#include "compare/facts.h"

#include "base/error.h"

namespace orrery {
namespace {

bool cut_by_seed(const DataOptions& options) {
  return !options.split.empty() && options.split_by == "random";
}

// A later process would cut the file in another way.
void check_seed(const Dataset& given, const TrainOptions& run) {
  if (!given.source().empty() && cut_by_seed(given.options()) && given.options().seed != run.seed)
    fail_request(About{.option = "seeds",
                       .place = {given.source()},
                       .advice = worded("name the file with $data, and each seed cuts it anew")},
                 "the facts were split with seed {}, and a run has seed {}", given.options().seed,
                 run.seed);
}

}  // namespace

Facts::Key Facts::key_of(const TrainOptions& options) {
  return {options.data,
          options.granularity,
          options.min_facts,
          options.split,
          options.split_by,
          options.skip_bad,
          cut_by_seed(data_options(options)) ? options.seed : 0};
}

const Dataset& Facts::of(const TrainOptions& options) {
  if (given_) {
    check_seed(*given_, options);
    return *given_;
  }
  const Key key = key_of(options);
  auto found = read_.find(key);
  if (found == read_.end())
    found = read_.emplace(key, Dataset::open(options.data, data_options(options))).first;
  return found->second;
}

}  // namespace orrery
