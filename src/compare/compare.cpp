#include "orrery/compare.h"

namespace orrery {

Comparison compare(const CompareOptions& options, const std::filesystem::path& out,
                   CompareObserver* observer) {
  CompareObserver silent;
  CompareObserver& listener = observer != nullptr ? *observer : silent;
  ComparisonRunner runner(options, out);
  runner.gather(listener);
  // Every model once before any is trained again: there is a table soon.
  for (std::int64_t number = 0; number < options.seeds; ++number)
    if (!runner.carry_out_seed(number, listener)) break;
  return runner.so_far();
}

}  // namespace orrery
