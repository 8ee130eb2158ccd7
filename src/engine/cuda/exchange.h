// What processes exchange of their GPUs' memory. Bytes are staged through the host, whatever
// carries them there; a library that moves them from GPU to GPU would take this one's place.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <vector>

#include "base/communicator.h"

namespace orrery::cuda {

// Every call is one of all processes, and waits for the stream.
class Exchange {
 public:
  explicit Exchange(Communicator* processes) : processes_(processes) {}
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

 private:
  void gather_bytes(std::byte* all, std::span<const std::size_t> counts, cudaStream_t stream);
  std::byte* room_for(std::size_t bytes, cudaStream_t stream);

  Communicator* processes_;
  std::byte* staged_ = nullptr;  // memory of the host that the device copies to and from
  std::size_t size_ = 0;
};

}  // namespace orrery::cuda
