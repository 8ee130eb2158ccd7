#include "engine/cuda/device.h"

#include "base/error.h"
#include "base/memory_budget.h"

namespace orrery::cuda {

void check(cudaError_t status, const char* doing) {
  if (status != cudaSuccess)
    fail_broken(About{.advice = "what was saved of the run is whole: resume it, on another device "
                                "if this one fails again"},
                "the GPU failed while {}: {}", doing, cudaGetErrorString(status));
}

void check_launch(const char* doing) { check(cudaGetLastError(), doing); }

namespace {

// The device knows it by the same address as the host.
void* allocate_on_host(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status =
      cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    fail_model(About{.option = "dim", .advice = worded("take a smaller $dim or a larger $memory")},
               "the host has no {} that a GPU can use for embeddings beyond its own memory",
               format_memory(bytes));
  }
  check(status, "asking for memory of the host");
  return memory;
}

}  // namespace

void* allocate(std::size_t bytes, Place place) {
  if (place == Place::host) return allocate_on_host(bytes);
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for its free memory");
    fail_model(About{.option = "dim", .advice = worded("take a smaller $dim or $batch")},
               "the GPU has {} left of {}, and {} more are needed", format_memory(free),
               format_memory(total), format_memory(bytes));
  }
  check(status, "allocating memory");
  return memory;
}

void release(void* memory, Place place) noexcept {
  if (memory == nullptr) return;
  place == Place::host ? cudaFreeHost(memory) : cudaFree(memory);
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, bytes), "asking for memory of the host");
  return memory;
}

void release_pinned(void* memory) noexcept {
  if (memory != nullptr) cudaFreeHost(memory);
}

Stream::Stream(bool first) {
  int least = 0, most = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &most), "making a stream");
  check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, first ? most : least),
        "making a stream");
}
Stream::~Stream() { cudaStreamDestroy(stream_); }

Event::Event(bool timing) {
  check(cudaEventCreateWithFlags(&event_, timing ? cudaEventDefault : cudaEventDisableTiming),
        "making an event");
}
Event::~Event() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

}  // namespace orrery::cuda
