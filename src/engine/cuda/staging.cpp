#include "engine/cuda/staging.h"

namespace orrery::cuda {

void Staging::begin(cudaStream_t stream) {
  check(cudaEventRecord(written_, stream), "bringing rows");
  check(cudaStreamWaitEvent(copies_, written_), "bringing rows");
}

// A piece of an earlier call may still be in use: `used_` was recorded behind its last reader.
void Staging::copy(const std::byte* from, std::byte* to, std::size_t bytes, std::int64_t turn,
                   cudaStream_t stream) {
  const auto slot = static_cast<std::size_t>(turn);
  check(cudaStreamWaitEvent(copies_, used_[slot]), "bringing rows");
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, copies_), "bringing rows");
  check(cudaEventRecord(copied_[slot], copies_), "bringing rows");
  check(cudaStreamWaitEvent(stream, copied_[slot]), "bringing rows");
}

}  // namespace orrery::cuda
