// Device memory, streams and events that clean up after themselves, and CUDA's answers as Errors.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace orrery::cuda {

// `doing` completes "the GPU failed while …".
void check(cudaError_t status, const char* doing);
// After a kernel launch.
void check_launch(const char* doing);

// Where a buffer lies. The device reads and writes memory of the host by itself, at the speed of
// the bus between them.
enum class Place { device, host };

// Bytes; what does not fit is a request Error with the needed and the free bytes.
void* allocate(std::size_t bytes, Place place);
void release(void* memory, Place place) noexcept;

template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t size, Place place = Place::device)
      : data_(size == 0 ? nullptr : static_cast<T*>(allocate(size * sizeof(T), place))),
        size_(size),
        place_(place) {}
  ~DeviceBuffer() { release(data_, place_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        place_(other.place_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(place_, other.place_);
    return *this;
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  Place place() const { return place_; }
  std::uint64_t bytes() const { return size_ * sizeof(T); }

  void fill_zero(cudaStream_t stream) {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, bytes(), stream), "clearing memory");
  }
  // The host's memory may be reused when this returns.
  void upload(std::span<const T> from, cudaStream_t stream) {
    if (from.empty()) return;
    check(cudaMemcpyAsync(data_, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream),
          "copying to the GPU");
    check(cudaStreamSynchronize(stream), "copying to the GPU");
  }
  void download(std::span<T> to, cudaStream_t stream) const {
    if (to.empty()) return;
    check(cudaMemcpyAsync(to.data(), data_, to.size_bytes(), cudaMemcpyDeviceToHost, stream),
          "copying from the GPU");
    check(cudaStreamSynchronize(stream), "copying from the GPU");
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  Place place_ = Place::device;
};

// Memory of the host that the device copies from and to by itself, while the host goes on.
void* allocate_pinned(std::size_t bytes);
void release_pinned(void* memory) noexcept;

template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  ~PinnedBuffer() { release_pinned(data_); }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  // Copies `from` and orders its copy to the device; nothing ordered before may be under way.
  void send(std::span<const T> from, T* to, cudaStream_t stream) {
    if (from.empty()) return;
    grow(from.size());
    std::copy(from.begin(), from.end(), data_);
    check(cudaMemcpyAsync(to, data_, from.size_bytes(), cudaMemcpyHostToDevice, stream),
          "copying to the GPU");
  }
  // Orders a copy from the device, which is here when the stream has come so far.
  void fetch(const T* from, std::size_t size, cudaStream_t stream) {
    grow(size);
    check(cudaMemcpyAsync(data_, from, size * sizeof(T), cudaMemcpyDeviceToHost, stream),
          "copying from the GPU");
  }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  void grow(std::size_t size) {
    if (size_ >= size) return;
    release_pinned(std::exchange(data_, nullptr));
    size_ = 0;
    data_ = static_cast<T*>(allocate_pinned(size * sizeof(T)));
    size_ = size;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

class Stream {
 public:
  // `first`: its work goes before that of other streams where both could run.
  explicit Stream(bool first = false);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  explicit Event(bool timing = false);
  ~Event();
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace orrery::cuda
