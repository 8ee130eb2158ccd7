// A step's examples and the order in which their contributions are summed.
#include <cub/device/device_radix_sort.cuh>

#include "base/random.h"
#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/sorted_keys.cuh"

namespace orrery::cuda {
namespace {

constexpr int threads = 256;

unsigned blocks_for(std::int64_t items) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

__global__ void gather_kernel(GatherJob job) {
  const auto i = static_cast<std::int32_t>(blockIdx.x * threads + threadIdx.x);
  if (i >= job.count) return;
  if (job.examples != nullptr) {
    const RandomPermutation order(job.example_count, job.shuffle_key);
    const auto place = order(job.first + static_cast<std::uint64_t>(i));
    job.batch[i] = job.examples[place];
    job.places[i] = static_cast<std::int32_t>(place);
  }
  const Example example = job.batch[i];
  const auto put = [&](std::int32_t at, std::int32_t key, std::int32_t value) {
    job.keys[at] = static_cast<std::uint32_t>(key);
    job.values[at] = value;
  };
  const std::int32_t first_entity = job.relations + job.times;
  const auto row_of = [&](std::int32_t entity) {
    return job.entity_rows == nullptr ? entity : job.entity_rows[entity];
  };
  put(i, example.query.relation, i);
  put(job.count + i, job.relations + example.query.time, i);
  if (job.answers) {
    put(2 * job.count + 2 * i, first_entity + row_of(example.query.subject), 2 * i);
    put(2 * job.count + 2 * i + 1, first_entity + row_of(example.object), 2 * i + 1);
  } else {
    put(2 * job.count + i, first_entity + row_of(example.query.subject), 2 * i);
  }
}

__global__ void starts_kernel(const std::uint32_t* keys, std::int32_t pairs,
                              std::uint32_t key_bound, std::int32_t* starts) {
  const std::uint32_t key = blockIdx.x * threads + threadIdx.x;
  if (key > key_bound) return;
  starts[key] = lower_bound(keys, 0, pairs, key);
}

}  // namespace

bool kernels_run_on(int device) {
  check(cudaSetDevice(device), "starting");
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, gather_kernel);
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
    cudaGetLastError();
    return false;
  }
  check(status, "starting");
  return true;
}

void gather(const GatherJob& job, cudaStream_t stream) {
  gather_kernel<<<blocks_for(job.count), threads, 0, stream>>>(job);
  check_launch("gathering a batch");
}

std::size_t sort_space(std::int32_t most_pairs) {
  std::size_t bytes = 0;
  const std::uint32_t* keys = nullptr;
  const std::int32_t* values = nullptr;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, static_cast<std::uint32_t*>(nullptr),
                                        values, static_cast<std::int32_t*>(nullptr), most_pairs),
        "planning a sort");
  return bytes;
}

void sort_pairs(void* space, std::size_t space_bytes, const std::uint32_t* keys,
                std::uint32_t* sorted_keys, const std::int32_t* values, std::int32_t* sorted_values,
                std::int32_t pairs, std::uint32_t key_bound, cudaStream_t stream) {
  check(cub::DeviceRadixSort::SortPairs(space, space_bytes, keys, sorted_keys, values,
                                        sorted_values, pairs, 0, bits_of(key_bound), stream),
        "sorting a batch");
}

void find_starts(const std::uint32_t* sorted_keys, std::int32_t pairs, std::uint32_t key_bound,
                 std::int32_t* starts, cudaStream_t stream) {
  starts_kernel<<<blocks_for(std::int64_t{key_bound} + 1), threads, 0, stream>>>(sorted_keys, pairs,
                                                                                 key_bound, starts);
  check_launch("finding the runs of a batch");
}

}  // namespace orrery::cuda
