// The softmax of a unit, which the step and auxiliary losses share.
#pragma once

#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {

template <class TargetOf>
void CpuEngine::softmax_unit(std::size_t rows, double share, bool rooted, float teacher_share,
                             const TargetOf& target_of) {
  const bool rounded = precision_ == Precision::bf16;
  parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t at = i * score_stride_;
      const Lesson lesson{target_of(i), teacher_share > 0 ? taught_.scores.data() + at : nullptr,
                          teacher_share};
      losses_[i] = kernels_.softmax_back(work_.scores.data() + at, work_.held.count, lesson,
                                         static_cast<float>(share), rooted,
                                         rounded ? rounded_scores_.data() + at : nullptr);
    }
  });
}

}  // namespace orrery::cpu
