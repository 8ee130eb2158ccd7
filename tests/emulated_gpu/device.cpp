// An emulated device: memory of the host, and streams that have always done their work. What is
// allocated holds NaN, so that a kernel that reads what nobody has written is found out.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "cuda_runtime_api.h"
#include "emulated_gpu/hanging_streams.h"

struct CUevent_st {
  std::chrono::steady_clock::time_point when;
};

namespace {

constexpr std::size_t device_bytes = std::size_t{4} << 30, host_bytes = std::size_t{8} << 30;
constexpr std::size_t alignment = 256;
constexpr std::size_t guard_bytes = 256;  // behind each buffer, which nobody may write to
constexpr int guard_byte = 0xA5;

class Memory {
 public:
  explicit Memory(std::size_t size) : size_(size) {}

  cudaError_t allocate(void** memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > size_ - used_) return cudaErrorMemoryAllocation;
    const std::size_t room = (bytes + alignment - 1) / alignment * alignment + guard_bytes;
    *memory = std::aligned_alloc(alignment, room);
    if (*memory == nullptr) return cudaErrorMemoryAllocation;
    std::memset(*memory, 0xff, bytes);
    std::memset(static_cast<char*>(*memory) + bytes, guard_byte, room - bytes);
    sizes_[*memory] = bytes;
    used_ += bytes;
    return cudaSuccess;
  }
  void release(void* memory) {
    if (memory == nullptr) return;
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(memory);
    if (found == sizes_.end()) give_up("what was never allocated is freed", 0);
    const std::size_t bytes = found->second;
    const auto* guard = static_cast<const unsigned char*>(memory) + bytes;
    if (!std::all_of(guard, guard + guard_bytes,
                     [](unsigned char byte) { return byte == guard_byte; }))
      give_up("a kernel has written past the end of a buffer", bytes);
    used_ -= bytes;
    sizes_.erase(found);
    std::free(memory);
  }
  std::size_t free_bytes() {
    const std::lock_guard lock(mutex_);
    return size_ - used_;
  }

 private:
  [[noreturn]] static void give_up(const char* why, std::size_t bytes) {
    std::fprintf(stderr, "the emulated GPU: %s (%zu bytes)\n", why, bytes);
    std::abort();
  }

  std::mutex mutex_;
  std::map<void*, std::size_t> sizes_;
  std::size_t size_, used_ = 0;
};

Memory& device_memory() {
  static Memory memory(device_bytes);
  return memory;
}
// What the device may use of the host's.
Memory& host_memory() {
  static Memory memory(host_bytes);
  return memory;
}

}  // namespace

std::atomic<bool>& orrery::emulated_gpu::streams_hang() {
  static std::atomic<bool> hang = false;
  return hang;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::strcpy(properties->name, "emulated GPU");
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = 4;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = 227 << 10;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrClockRate:
      *value = 1000;
      break;
  }
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* name, int length, int) {
  std::snprintf(name, static_cast<std::size_t>(length), "0000:00:00.0");
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "an error of the emulated GPU"; }

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return device_memory().allocate(memory, bytes);
}
cudaError_t cudaFree(void* memory) {
  device_memory().release(memory);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return host_memory().allocate(memory, bytes);
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return host_memory().allocate(memory, bytes);
}
cudaError_t cudaFreeHost(void* memory) {
  host_memory().release(memory);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = device_memory().free_bytes();
  *total = device_bytes;
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind, cudaStream_t) {
  for (std::size_t row = 0; row < height; ++row)
    std::memcpy(static_cast<char*>(to) + row * to_pitch,
                static_cast<const char*>(from) + row * from_pitch, width);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  *stream = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = std::make_unique<CUevent_st>().release();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const std::unique_ptr<CUevent_st> owned(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->when = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  return orrery::emulated_gpu::streams_hang() ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
  return cudaSuccess;
}
