// The candidates that a step draws, the same on every device.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace orrery {

// The `counter`th one of a step.
ORRERY_RANDOM_INLINE std::int32_t drawn_entity(std::uint64_t step_key, std::int32_t counter,
                                               std::int32_t entities) {
  constexpr std::uint64_t purpose = 0x6e65676174697665;
  return static_cast<std::int32_t>(random_below(step_key ^ mix(purpose),
                                                static_cast<std::uint64_t>(counter),
                                                static_cast<std::uint32_t>(entities)));
}

}  // namespace orrery
