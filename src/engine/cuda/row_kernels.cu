// The kernels of every model of the list.
#include "engine/cuda/backward_kernels.cuh"
#include "engine/cuda/forward_kernels.cuh"
#include "engine/cuda/row_kernels.h"
#include "engine/cuda/smooth_kernels.cuh"
#include "models/list.h"

namespace orrery::cuda {
namespace {

template <class M>
constexpr RowKernels kernels_of() {
  static_assert(vote_count<M>() <= most_votes && gate_count<M>() <= most_votes);
  static_assert(row_count<M> <= most_rows);
  return {launch_forward<M>, launch_backward<M>, backward_blocks<M>,
          launch_smooth<typename M::Algebra>};
}

template <class List>
struct KernelTable;
template <class... Models>
struct KernelTable<ModelList<Models...>> {
  static constexpr RowKernels all[] = {kernels_of<Models>()...};
};

}  // namespace

const RowKernels& row_kernels(std::size_t variant) { return KernelTable<AllModels>::all[variant]; }

}  // namespace orrery::cuda
