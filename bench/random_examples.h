// Training examples for benchmarks, which need a data set's sizes and unevenness and no facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "data/examples.h"
#include "models/registry.h"

namespace orrery {

// Names are used as unevenly as real ones: a few take part in most facts.
inline std::int32_t random_name(std::uint64_t key, std::uint64_t counter, std::int32_t bound) {
  const double u = random_uniform(key, counter);
  return static_cast<std::int32_t>(u * u * u * bound);
}

inline std::vector<Example> random_examples(const ModelShape& shape, std::size_t count) {
  std::vector<Example> examples(count);
  const auto times = static_cast<std::uint32_t>(shape.times);
  for (std::size_t i = 0; i < count; ++i)
    examples[i] = {
        {random_name(1, 4 * i, shape.entities), random_name(1, 4 * i + 1, shape.relation_rows),
         static_cast<std::int32_t>(random_below(2, i, times))},
        random_name(1, 4 * i + 3, shape.entities)};
  return examples;
}

}  // namespace orrery
