// A block selects the best of a row: the k-th highest score is found digit by digit, as an integer
// that ascends with the score, and then all that are above it are collected. Of those that are
// equal to it the lowest ids are taken.
#include <cfloat>

#include "engine/cuda/device.h"
#include "engine/cuda/top_kernels.h"

namespace orrery::cuda {
namespace {

constexpr int threads = 512;
constexpr int warp = 32;
constexpr int warps = threads / warp;
constexpr int digit_bits = 8, digits = 1 << digit_bits;
constexpr unsigned everybody = 0xffffffffU;

// Zeros of both signs are equal.
__device__ inline std::uint32_t key_of(float score) {
  const std::uint32_t bits = score == 0.0F ? 0U : __float_as_uint(score);
  constexpr std::uint32_t sign = 0x80000000U;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

// Over all threads, in one fixed order; every thread gets the result.
template <class T, class Join>
__device__ inline T block_join(T value, const Join& join) {
  __shared__ T partial[warps];
  for (int step = warp / 2; step > 0; step /= 2)
    value = join(value, __shfl_xor_sync(everybody, value, step));
  __syncthreads();  // an earlier call's results have been read
  if (threadIdx.x % warp == 0) partial[threadIdx.x / warp] = value;
  __syncthreads();
  value = partial[0];
  for (int w = 1; w < warps; ++w) value = join(value, partial[w]);
  return value;
}

__device__ inline RowPeak peak_of(const float* scores, int entities) {
  float highest = -FLT_MAX;
  bool finite = true;
  for (int e = static_cast<int>(threadIdx.x); e < entities; e += threads) {
    highest = fmaxf(highest, scores[e]);
    finite = finite && fabsf(scores[e]) <= FLT_MAX;
  }
  highest = block_join(highest, [](float a, float b) { return fmaxf(a, b); });
  double sum = 0;
  for (int e = static_cast<int>(threadIdx.x); e < entities; e += threads)
    sum += static_cast<double>(expf(scores[e] - highest));
  sum = block_join(sum, [](double a, double b) { return a + b; });
  return {sum, highest, __syncthreads_and(finite) != 0};
}

// The k-th highest key; so many with that very key are among the best, all of them or not.
struct Bound {
  std::uint32_t key = 0;
  int equal = 0;
  bool all = false;
};

// By the first warp: the digit at which the counts, from the highest digit down, reach `wanted`,
// and how many are still wanted of that digit.
__device__ inline void pick_digit(const int* counts, int wanted, int& digit, int& left) {
  constexpr int own_digits = digits / warp;
  const int lane = static_cast<int>(threadIdx.x);
  int candidate = digits - 1 - lane * own_digits;
  int own = 0;
  for (int i = 0; i < own_digits; ++i) own += counts[candidate - i];
  int reached = own;
  for (int step = 1; step < warp; step *= 2) {
    const int before = __shfl_up_sync(everybody, reached, step);
    if (lane >= step) reached += before;
  }
  int above = reached - own;
  if (above >= wanted || reached < wanted) return;  // it is another lane's
  while (above + counts[candidate] < wanted) above += counts[candidate--];
  digit = candidate;
  left = wanted - above;
}

__device__ inline Bound find_bound(const float* scores, int entities, int k) {
  __shared__ int counts[digits];
  __shared__ int digit, left;
  Bound bound{0, k, false};
  for (int shift = 32 - digit_bits; shift >= 0; shift -= digit_bits) {
    for (int d = static_cast<int>(threadIdx.x); d < digits; d += threads) counts[d] = 0;
    __syncthreads();
    for (int e = static_cast<int>(threadIdx.x); e < entities; e += threads) {
      const std::uint32_t key = key_of(scores[e]);
      const bool first = shift + digit_bits == 32;
      if (first || (key ^ bound.key) >> (shift + digit_bits) == 0)
        atomicAdd(&counts[(key >> shift) % digits], 1);
    }
    __syncthreads();
    if (threadIdx.x < warp) pick_digit(counts, bound.equal, digit, left);
    __syncthreads();
    bound.key |= static_cast<std::uint32_t>(digit) << shift;
    bound.equal = left;
    bound.all = counts[digit] == left;
    __syncthreads();  // all have read before the next digit is counted
  }
  return bound;
}

// Whatever is above the bound, and what is equal to it where all of that is wanted, in any order.
__device__ inline void collect_above(const float* scores, int entities, const Bound& bound,
                                     ScoredEntity* best) {
  __shared__ int taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  for (int e = static_cast<int>(threadIdx.x); e < entities; e += threads) {
    const std::uint32_t key = key_of(scores[e]);
    if (key > bound.key || (bound.all && key == bound.key))
      best[atomicAdd(&taken, 1)] = {e, scores[e]};
  }
}

// Of what is equal to the bound, as many as are wanted, by ascending id.
__device__ inline void collect_equal(const float* scores, int entities, const Bound& bound,
                                     ScoredEntity* best) {
  __shared__ int counts[warps];
  const int own_warp = static_cast<int>(threadIdx.x) / warp;
  const unsigned lower_lanes = (1U << (threadIdx.x % warp)) - 1;
  int found = 0;  // the same in every thread
  for (int first = 0; found < bound.equal && first < entities; first += threads) {
    const int e = first + static_cast<int>(threadIdx.x);
    const bool equal = e < entities && key_of(scores[e]) == bound.key;
    const unsigned votes = __ballot_sync(everybody, equal);
    __syncthreads();  // the counts of the round before have been read
    if (threadIdx.x % warp == 0) counts[own_warp] = __popc(votes);
    __syncthreads();
    int place = found + __popc(votes & lower_lanes);
    for (int w = 0; w < warps; ++w) {
      if (w < own_warp) place += counts[w];
      found += counts[w];
    }
    if (equal && place < bound.equal) best[place] = {e, scores[e]};
  }
}

__global__ void __launch_bounds__(threads) top_kernel(TopJob job) {
  const float* scores = job.scores + blockIdx.x * job.stride;
  const RowPeak peak = peak_of(scores, job.entities);
  if (threadIdx.x == 0) job.peaks[blockIdx.x] = peak;
  if (!peak.finite || job.k == 0) return;
  ScoredEntity* best = job.best + blockIdx.x * static_cast<std::size_t>(job.k);
  const Bound bound = find_bound(scores, job.entities, job.k);
  collect_above(scores, job.entities, bound, best);
  if (!bound.all) collect_equal(scores, job.entities, bound, best + (job.k - bound.equal));
}

}  // namespace

void select_top(const TopJob& job, cudaStream_t stream) {
  top_kernel<<<static_cast<unsigned>(job.rows), threads, 0, stream>>>(job);
  check_launch("selecting the best answers");
}

}  // namespace orrery::cuda
