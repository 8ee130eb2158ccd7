// The kernels of the models of the list, half of them in each of two files: compilers are the
// slower the longer a file is, and two can work at once.
#pragma once

#include <array>

#include "engine/cuda/backward_kernels.cuh"
#include "engine/cuda/forward_kernels.cuh"
#include "engine/cuda/row_kernels.h"
#include "engine/cuda/smooth_kernels.cuh"
#include "models/list.h"

namespace orrery::cuda {

template <class M>
inline constexpr std::array<bool, row_count<M>> rows_with_gradients = [] {
  constexpr RowsUsed<M> used = LaneSweep<M>::used;
  std::array<bool, row_count<M>> any{};
  for (std::size_t r = 0; r < row_count<M>; ++r) any[r] = used.by_factors[r] || used.by_votes[r];
  return any;
}();

template <class M>
constexpr FormulaKernels formula_kernels() {
  static_assert(vote_count<M>() <= most_votes && gate_count<M>() <= most_votes);
  static_assert(row_count<M> <= most_rows);
  return {launch_forward<M>, launch_backward<M>, backward_blocks<M>, rows_with_gradients<M>,
          vote_count<M>()};
}

// Empty where the model is another half's.
template <std::size_t Half, std::size_t Index, class M>
constexpr RowKernels kernels_in_half() {
  RowKernels kernels;
  if constexpr (Index % 2 == Half) {
    kernels.query = formula_kernels<M>();
    if constexpr (derives_candidates<M>) kernels.candidate = formula_kernels<CandidateOf<M>>();
    for_each_side<M>([&]<AuxiliaryLoss Question>() {
      kernels.auxiliary[static_cast<std::size_t>(Question)] =
          formula_kernels<SideFormulaOf<M, Question>>();
    });
    kernels.smooth = launch_smooth<M>;
    kernels.joint_smoothing = has_timeline<M>;
  }
  return kernels;
}

template <std::size_t Half, class... Models, std::size_t... Index>
constexpr auto kernel_table(ModelList<Models...>, std::index_sequence<Index...>) {
  return std::array{kernels_in_half<Half, Index, Models>()...};
}
template <std::size_t Half, class... Models>
constexpr auto kernel_table(ModelList<Models...> list) {
  return kernel_table<Half>(list, std::index_sequence_for<Models...>{});
}

}  // namespace orrery::cuda
