// The pass over all rows that ends a step.
#include <cuda_bf16.h>

#include <algorithm>

#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"

namespace orrery::cuda {
namespace {

constexpr int update_threads = 128;
constexpr int quads = 2;  // of neighbouring floats that a thread takes, 4 · update_threads apart
constexpr int slice = 4 * update_threads * quads;
constexpr int unrolled = 4;  // contributions that are loaded together

struct Places {
  std::int32_t first, end;
};

// A row's contributions: places in the sorted list, or rows of sums over windows.
__device__ inline Places places_of(const UpdateJob& job, const UpdateTable& table,
                                   std::int32_t row) {
  if (table.row_keys == 0) return {0, 0};
  if (table.touched != nullptr) return {table.touched[row].first, table.touched[row].end};
  const std::int32_t first_key = table.first_key + row * table.row_keys;
  const std::int32_t first = job.starts[first_key];
  const std::int32_t end = job.starts[min(first_key + table.row_keys, table.end_key)];
  if (!table.windowed || first == end) return {first, end};
  return {first / window_examples + row, (end - 1) / window_examples + row + 1};
}

// Of a table with contributions, the row that one of them goes to.
__device__ inline std::uint32_t row_at(const UpdateJob& job, const UpdateTable& table,
                                       std::int32_t place) {
  return (job.keys[place] - static_cast<std::uint32_t>(table.first_key)) /
         static_cast<std::uint32_t>(table.row_keys);
}

__device__ inline float4 widened(const float4& x) { return x; }
__device__ inline float4 widened(const uint2& pairs) {
  return {__uint_as_float(pairs.x << 16), __uint_as_float(pairs.x & 0xffff0000U),
          __uint_as_float(pairs.y << 16), __uint_as_float(pairs.y & 0xffff0000U)};
}

__device__ inline void add_to(float4& sum, const float4& x) {
  sum.x += x.x;
  sum.y += x.y;
  sum.z += x.z;
  sum.w += x.w;
}

// A thread's part of a row; Quad is four floats, or four bf16.
template <class Quad>
struct Part {
  Quad quad[quads];
};

__device__ inline bool inside(const UpdateJob& job, std::size_t column, int k) {
  return column + static_cast<std::size_t>(k) * 4 * update_threads < job.stride;
}

template <class Quad, class Element>
__device__ inline Part<Quad> load_part(const UpdateJob& job, const Element* rows, std::size_t row,
                                       std::size_t column) {
  Part<Quad> part;
#pragma unroll
  for (int k = 0; k < quads; ++k) {
    const Element* at = rows + row * job.stride + column + k * 4 * update_threads;
    part.quad[k] = inside(job, column, k) ? __ldcs(reinterpret_cast<const Quad*>(at)) : Quad{};
  }
  return part;
}

// Loads several contributions before it adds the first.
template <class Quad, class Element>
__device__ inline void sum_contributions(const UpdateJob& job, const Element* rows,
                                         const std::int32_t* list, const Places& places,
                                         std::size_t column, Part<float4>& sum) {
  const auto load = [&](std::int32_t place) {
    const std::int32_t row = list == nullptr ? place : list[place];
    return load_part<Quad>(job, rows, static_cast<std::size_t>(row), column);
  };
  const auto add = [&](const Part<Quad>& part) {
#pragma unroll
    for (int k = 0; k < quads; ++k) add_to(sum.quad[k], widened(part.quad[k]));
  };
  std::int32_t place = places.first;
  for (; place + unrolled <= places.end; place += unrolled) {
    Part<Quad> parts[unrolled];
#pragma unroll
    for (int i = 0; i < unrolled; ++i) parts[i] = load(place + i);
#pragma unroll
    for (int i = 0; i < unrolled; ++i) add(parts[i]);
  }
  for (; place < places.end; ++place) add(load(place));
}

// A row's contributions where long runs have been folded.
template <class Quad, class Element>
__device__ inline void sum_list(const UpdateJob& job, const UpdateTable& table, const Element* rows,
                                const Places& places, std::size_t column, Part<float4>& sum) {
  const auto add_list = [&](std::int32_t first, std::int32_t end) {
    sum_contributions<Quad>(job, rows, job.contributions, {first, end}, column, sum);
  };
  const std::int32_t first_fold = (places.first - table.first_place + fold - 1) / fold;
  const std::int32_t end_fold = (places.end - table.first_place) / fold;
  if (first_fold >= end_fold) {
    add_list(places.first, places.end);
    return;
  }
  add_list(places.first, table.first_place + first_fold * fold);
  sum_contributions<float4>(job, table.folded, nullptr, {first_fold, end_fold}, column, sum);
  add_list(table.first_place + end_fold * fold, places.end);
}

// One block a fold and a slice of its columns; most folds have several rows and are left alone.
__global__ void __launch_bounds__(update_threads) fold_kernel(UpdateJob job) {
  const UpdateTable& table = job.tables[blockIdx.z];
  if (table.folded == nullptr) return;
  const auto index = static_cast<std::int32_t>(blockIdx.x);
  const std::int32_t first = table.first_place + index * fold;
  if (first + fold > table.end_place ||
      row_at(job, table, first) != row_at(job, table, first + fold - 1))
    return;
  const std::size_t column = blockIdx.y * slice + 4 * threadIdx.x;
  if (column >= job.stride) return;
  Part<float4> sum{};
  const Places places = {first, first + fold};
  if (table.contributions.bf16 != nullptr)
    sum_contributions<uint2>(job, table.contributions.bf16, job.contributions, places, column, sum);
  else
    sum_contributions<float4>(job, table.contributions.fp32, job.contributions, places, column,
                              sum);
#pragma unroll
  for (int k = 0; k < quads; ++k)
    if (inside(job, column, k))
      *reinterpret_cast<float4*>(table.folded + static_cast<std::size_t>(index) * job.stride +
                                 column + k * 4 * update_threads) = sum.quad[k];
}

template <class Optimizer, float float4::*component, std::size_t state_count>
__device__ inline void update_component(float4& value, Part<float4> (&states)[state_count], int k,
                                        const float4& g, const StepSize<float>& step) {
  float own[state_count];
#pragma unroll
  for (std::size_t s = 0; s < state_count; ++s) own[s] = states[s].quad[k].*component;
  Optimizer::update(value.*component, own, g.*component, step);
#pragma unroll
  for (std::size_t s = 0; s < state_count; ++s) states[s].quad[k].*component = own[s];
}

__device__ inline uint2 rounded_quad(const float4& x) {
  const __nv_bfloat162 low = __floats2bfloat162_rn(x.x, x.y);
  const __nv_bfloat162 high = __floats2bfloat162_rn(x.z, x.w);
  return {*reinterpret_cast<const unsigned*>(&low), *reinterpret_cast<const unsigned*>(&high)};
}

// Where the dense gradient of a table's row `index` lies; −1: it has none.
__device__ inline std::int64_t base_row_of(const UpdateTable& table, std::int32_t index) {
  if (table.base == nullptr) return -1;
  if (table.touched == nullptr) return index;
  const TouchedRow& touched = table.touched[index];
  return touched.candidate < 0 || table.base_of_candidates ? touched.candidate : touched.row;
}

// Rows and states are read before it is known whether the row gets a gradient: most do, and
// nothing need wait for the list then.
template <class Optimizer>
__global__ void __launch_bounds__(update_threads) update_kernel(UpdateJob job) {
  constexpr std::size_t state_count = Optimizer::states.size();
  const auto slices = static_cast<unsigned>((job.stride + slice - 1) / slice);
  int t = 0;
  auto row = static_cast<std::int32_t>(blockIdx.x / slices);
  while (row >= job.tables[t].rows) row -= job.tables[t++].rows;
  const UpdateTable& table = job.tables[t];
  const std::size_t column = blockIdx.x % slices * slice + 4 * threadIdx.x;
  if (column >= job.stride) return;
  const std::int32_t place = table.touched == nullptr ? row : table.touched[row].row;
  if (place < 0) return;
  const auto own = static_cast<std::size_t>(place);
  Part<float4> value = load_part<float4>(job, table.values, own, column);
  Part<float4> states[state_count];
#pragma unroll
  for (std::size_t s = 0; s < state_count; ++s)
    states[s] = load_part<float4>(job, table.states[s], own, column);
  Part<float4> g{};
  const std::int64_t base_row = base_row_of(table, row);
  if (base_row >= 0)
    g = load_part<float4>(job, table.base, static_cast<std::size_t>(base_row), column);
  if (table.base_of_candidates) {  // as if added to a row of zeros: −0 becomes 0
#pragma unroll
    for (int k = 0; k < quads; ++k) add_to(g.quad[k], float4{});
  }
  const Places places = places_of(job, table, row);
  if (Optimizer::zero_gradients_change_nothing && base_row < 0 && places.first == places.end)
    return;
  if (table.windowed)
    sum_contributions<float4>(job, table.contributions.fp32, nullptr, places, column, g);
  else if (table.contributions.bf16 != nullptr)
    sum_list<uint2>(job, table, table.contributions.bf16, places, column, g);
  else
    sum_list<float4>(job, table, table.contributions.fp32, places, column, g);
#pragma unroll
  for (int k = 0; k < quads; ++k) {
    if (!inside(job, column, k)) continue;
    float4& v = value.quad[k];
    update_component<Optimizer, &float4::x>(v, states, k, g.quad[k], job.step);
    update_component<Optimizer, &float4::y>(v, states, k, g.quad[k], job.step);
    update_component<Optimizer, &float4::z>(v, states, k, g.quad[k], job.step);
    update_component<Optimizer, &float4::w>(v, states, k, g.quad[k], job.step);
    const std::size_t to = own * job.stride + column + k * 4 * update_threads;
    *reinterpret_cast<float4*>(table.values + to) = v;
#pragma unroll
    for (std::size_t s = 0; s < state_count; ++s)
      __stcs(reinterpret_cast<float4*>(table.states[s] + to), states[s].quad[k]);
    if (table.rounded != nullptr) *reinterpret_cast<uint2*>(table.rounded + to) = rounded_quad(v);
  }
}

}  // namespace

void update(const UpdateJob& job, cudaStream_t stream) {
  std::int64_t rows = 0;
  for (int t = 0; t < job.table_count; ++t) rows += job.tables[t].rows;
  const auto slices = static_cast<std::int64_t>((job.stride + slice - 1) / slice);
  std::int32_t folds = 0;
  for (int t = 0; t < job.table_count; ++t)
    if (job.tables[t].folded != nullptr)
      folds = std::max(folds, (job.tables[t].end_place - job.tables[t].first_place) / fold);
  if (folds > 0) {
    const dim3 grid(static_cast<unsigned>(folds), static_cast<unsigned>(slices),
                    static_cast<unsigned>(job.table_count));
    fold_kernel<<<grid, update_threads, 0, stream>>>(job);
    check_launch("summing long runs");
  }
  with_optimizer(job.optimizer, [&]<class Optimizer>() {
    update_kernel<Optimizer>
        <<<static_cast<unsigned>(rows * slices), update_threads, 0, stream>>>(job);
  });
  check_launch("updating rows");
}

}  // namespace orrery::cuda
