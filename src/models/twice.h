#pragma once

#include "math/lane.h"

namespace orrery {

// A factor that the regulariser counts twice: swept twice, it is penalised twice.
template <Expression F>
ORRERY_INLINE auto twice(auto& lane, const F& factor) {
  return lane.constant(0.5F) * (factor + factor);
}

}  // namespace orrery
