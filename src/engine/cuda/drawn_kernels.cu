// Steps against drawn candidates: which they are, where each example's answer is among them, and
// which rows of entities get a gradient.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/sorted_keys.cuh"
#include "engine/drawn_entity.h"

namespace orrery::cuda {
namespace {

constexpr int threads = 256;

unsigned blocks_for(std::int32_t items) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

__global__ void draw_kernel(DrawJob job) {
  const auto i = static_cast<std::int32_t>(blockIdx.x * threads + threadIdx.x);
  if (i >= job.draws()) return;
  job.drawn[i] = i < job.batch_count
                     ? job.batch[i].object
                     : drawn_entity(job.step_key, i - job.batch_count, job.entities);
}

__global__ void targets_kernel(DrawJob job) {
  const auto i = static_cast<std::int32_t>(blockIdx.x * threads + threadIdx.x);
  if (i < job.batch_count)
    job.targets[i] = lower_bound(job.ids, 0, *job.id_count, job.batch[i].object);
}

__global__ void touched_kernel(TouchedJob job) {
  const auto i = static_cast<std::int32_t>(blockIdx.x * threads + threadIdx.x);
  const std::int32_t candidates = *job.id_count;
  if (i >= job.places() + candidates) return;
  const auto from_key = [&](std::int32_t place, std::uint32_t key) {
    return lower_bound(job.sorted_keys, place, job.end_place, key);
  };
  TouchedRow touched;
  if (i < job.places()) {
    const std::int32_t place = job.first_place + i;
    const std::uint32_t key = job.sorted_keys[place];
    const auto row = static_cast<std::int32_t>(key - job.first_key);
    const bool first = i == 0 || job.sorted_keys[place - 1] != key;
    const std::int32_t candidate = lower_bound(job.ids, 0, candidates, row);
    if (first && (candidate == candidates || job.ids[candidate] != row)) {
      touched.row = row;
      touched.first = place;
      touched.end = from_key(place, key + 1);
    }
  } else {
    touched.candidate = i - job.places();
    touched.row = job.ids[touched.candidate];
    const std::uint32_t key = job.first_key + static_cast<std::uint32_t>(touched.row);
    touched.first = from_key(job.first_place, key);
    touched.end = from_key(touched.first, key + 1);
  }
  job.rows[i] = touched;
}

}  // namespace

std::size_t draw_space(std::int32_t most_draws) {
  std::size_t sort_bytes = 0, unique_bytes = 0;
  const std::int32_t* in = nullptr;
  std::int32_t* out = nullptr;
  check(cub::DeviceRadixSort::SortKeys(nullptr, sort_bytes, in, out, most_draws),
        "planning a sort");
  check(cub::DeviceSelect::Unique(nullptr, unique_bytes, in, out, out, most_draws),
        "planning a sort");
  return std::max(sort_bytes, unique_bytes);
}

void draw(const DrawJob& job, void* space, std::size_t space_bytes, cudaStream_t stream) {
  draw_kernel<<<blocks_for(job.draws()), threads, 0, stream>>>(job);
  check_launch("drawing candidates");
  check(cub::DeviceRadixSort::SortKeys(space, space_bytes, job.drawn, job.sorted, job.draws(), 0,
                                       bits_of(static_cast<std::uint32_t>(job.entities)), stream),
        "sorting candidates");
  check(cub::DeviceSelect::Unique(space, space_bytes, job.sorted, job.ids, job.id_count,
                                  job.draws(), stream),
        "listing candidates");
  targets_kernel<<<blocks_for(job.batch_count), threads, 0, stream>>>(job);
  check_launch("finding answers among candidates");
}

void list_touched(const TouchedJob& job, cudaStream_t stream) {
  touched_kernel<<<blocks_for(job.places() + job.most_ids), threads, 0, stream>>>(job);
  check_launch("listing the entities of a batch");
}

}  // namespace orrery::cuda
