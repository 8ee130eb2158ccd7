// Processes whose GPUs send to each other by NCCL, without the host. Sums are taken in the order of
// the processes, so they have the bits of those by way of the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <string>

#include "base/communicator.h"
#include "engine/cuda/device.h"
#include "engine/cuda/nccl.h"

namespace orrery::cuda {

class DirectLink {
 public:
  // Between the current devices of all processes. `card`: where this one's is.
  DirectLink(Communicator& processes, const std::string& card);
  ~DirectLink();
  DirectLink(const DirectLink&) = delete;
  DirectLink& operator=(const DirectLink&) = delete;

  // Ordered on the stream; nobody waits. See Exchange.
  void gather(std::byte* all, std::span<const std::size_t> bytes, cudaStream_t stream);
  void sum(float* values, std::size_t count, cudaStream_t stream);

  // Waits until the stream has come so far, or fails where another process has ended: then the
  // stream would wait for it for ever.
  void wait_for(cudaEvent_t event);
  // What this process has ordered may never end: it is failing, or another has ended.
  bool is_failing() const;

 private:
  void sum_piece(float* values, std::size_t count, cudaStream_t stream);
  void check(Nccl::Result result, const char* doing) const;
  std::size_t me() const { return static_cast<std::size_t>(processes_.rank()); }

  Communicator& processes_;
  const Nccl& nccl_;
  Nccl::Communicator link_ = nullptr;
  DeviceBuffer<float> parts_;  // of sums, from all processes
  int failures_around_;        // that were being handled when this was made
  bool is_lost_ = false;
};

}  // namespace orrery::cuda
