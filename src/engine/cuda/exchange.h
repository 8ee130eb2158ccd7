// What processes exchange of their GPUs' memory: by way of the host, whatever carries the bytes
// there, or from GPU to GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/communicator.h"
#include "engine/cuda/device.h"
#include "engine/cuda/direct_link.h"

namespace orrery::cuda {

// The card, whatever number it has in a process.
std::string name_of_card(int device);

// Every call is one of all processes. By way of the host it waits for the stream; directly it is
// ordered on it.
class Exchange {
 public:
  // Of the current device.
  Exchange(Communicator* processes, bool directly);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // `all` has a part of each process, in their order, `counts` of things each. This process's part
  // is there; the others' come.
  template <class T>
  void gather(T* all, std::span<const std::size_t> counts, cudaStream_t stream) {
    std::vector<std::size_t> bytes(counts.begin(), counts.end());
    for (std::size_t& count : bytes) count *= sizeof(T);
    gather_bytes(reinterpret_cast<std::byte*>(all), bytes, stream);
  }
  // Elementwise over the processes; the result is everybody's.
  void sum(float* values, std::size_t count, cudaStream_t stream);

  bool is_direct() const { return direct_.has_value(); }
  // What is ordered directly would never end if another process has ended, and so would whoever
  // waits for the stream. These wait in its place, and fail then: until all has been exchanged, or
  // (at the start of each step) all but what the step before has ordered.
  void settle(cudaStream_t stream);
  void keep_pace(cudaStream_t stream);
  // Leaves the others: after this nothing of the device waits for them.
  void end(cudaStream_t stream) noexcept;

 private:
  void gather_bytes(std::byte* all, std::span<const std::size_t> counts, cudaStream_t stream);
  std::byte* room_for(std::size_t bytes, cudaStream_t stream);

  Communicator* processes_;
  Event ordered_, step_began_;
  std::optional<DirectLink> direct_;
  std::byte* staged_ = nullptr;  // memory of the host that the device copies to and from
  std::size_t size_ = 0;
};

}  // namespace orrery::cuda
