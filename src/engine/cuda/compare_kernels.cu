// Comparisons of every model of the list.
#include "engine/cuda/compare_backward.cuh"
#include "engine/cuda/compare_forward.cuh"
#include "engine/cuda/compare_kernels.h"
#include "models/list.h"

namespace orrery::cuda {
namespace {

template <class M>
constexpr CompareKernels kernels_of() {
  constexpr bool narrow = candidates_of<M>() == Candidates::each_time;
  using Compare = Comparator<M>;
  CompareKernels kernels;
  if constexpr (!Compare::product || narrow)
    kernels.forward = launch_compare<Compare, QueryAlgebra<M>, CandidateAlgebra<M>, narrow>;
  if constexpr (!Compare::product) {
    kernels.back_to_queries =
        launch_compare_back<Compare, QueryAlgebra<M>, CandidateAlgebra<M>, true, narrow>;
    kernels.back_to_candidates =
        launch_compare_back<Compare, QueryAlgebra<M>, CandidateAlgebra<M>, false, narrow>;
  }
  return kernels;
}

template <class List>
struct KernelTable;
template <class... Models>
struct KernelTable<ModelList<Models...>> {
  static constexpr CompareKernels all[] = {kernels_of<Models>()...};
};

}  // namespace

const CompareKernels& compare_kernels(std::size_t variant) {
  return KernelTable<AllModels>::all[variant];
}

}  // namespace orrery::cuda
