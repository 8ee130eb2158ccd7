#include "engine/cuda/exchange.h"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <utility>

#include "base/agreement.h"
#include "base/error.h"
#include "base/launcher.h"

namespace orrery::cuda {

std::string name_of_card(int device) {
  std::array<char, 32> bus{};
  check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device),
        "asking for its place");
  return fmt::format("{} {}", name_of_machine(), bus.data());
}

Exchange::Exchange(Communicator* processes, bool directly) : processes_(processes) {
  if (processes == nullptr || processes->size() == 1) return;
  require_same(processes, "way to send", directly ? "nccl" : "host",
               worded("give all of them the same $exchange"));
  if (!directly) return;
  int device = 0;
  check(cudaGetDevice(&device), "starting");
  direct_.emplace(*processes, name_of_card(device));
}

void Exchange::settle(cudaStream_t stream) {
  if (!direct_) return;
  check(cudaEventRecord(ordered_, stream), "exchanging with other processes");
  direct_->wait_for(ordered_);
}

void Exchange::keep_pace(cudaStream_t stream) {
  if (!direct_) return;
  direct_->wait_for(step_began_);
  check(cudaEventRecord(step_began_, stream), "starting a step");
}

void Exchange::end(cudaStream_t stream) noexcept {
  if (!direct_) return;
  try {
    if (!direct_->is_failing()) settle(stream);
  } catch (const std::exception&) {
    // The link is lost, and says so to nobody.
  }
  direct_.reset();
}

Exchange::~Exchange() { release_pinned(staged_); }

// The copies of an earlier call may still be under way; those of the stream come after them.
std::byte* Exchange::room_for(std::size_t bytes, cudaStream_t stream) {
  if (bytes > size_) {
    check(cudaStreamSynchronize(stream), "exchanging with other processes");
    release_pinned(std::exchange(staged_, nullptr));
    size_ = 0;
    staged_ = static_cast<std::byte*>(allocate_pinned(bytes));
    size_ = bytes;
  }
  return staged_;
}

// On the host this process's part lies before the parts of all: who gathers must not read where it
// writes.
void Exchange::gather_bytes(std::byte* all, std::span<const std::size_t> counts,
                            cudaStream_t stream) {
  if (direct_) {
    direct_->gather(all, counts, stream);
    return;
  }
  const auto me = static_cast<std::size_t>(processes_->rank());
  const std::size_t own = counts[me];
  const std::size_t before =
      std::accumulate(counts.begin(), counts.begin() + processes_->rank(), std::size_t{0});
  const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (total == 0) return;
  std::byte* const part = room_for(own + total, stream);
  std::byte* const whole = part + own;
  if (own > 0)
    check(cudaMemcpyAsync(part, all + before, own, cudaMemcpyDeviceToHost, stream),
          "reading what other processes need");
  check(cudaStreamSynchronize(stream), "reading what other processes need");
  processes_->gather(std::span<const std::byte>(part, own), counts,
                     std::span<std::byte>(whole, total));
  check(cudaMemcpyAsync(all, whole, total, cudaMemcpyHostToDevice, stream),
        "taking what other processes gave");
}

void Exchange::sum(float* values, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  if (direct_) {
    direct_->sum(values, count, stream);
    return;
  }
  const std::size_t bytes = count * sizeof(float);
  auto* const host = reinterpret_cast<float*>(room_for(bytes, stream));
  check(cudaMemcpyAsync(host, values, bytes, cudaMemcpyDeviceToHost, stream),
        "reading what other processes need");
  check(cudaStreamSynchronize(stream), "reading what other processes need");
  processes_->sum(std::span<float>(host, count));
  check(cudaMemcpyAsync(values, host, bytes, cudaMemcpyHostToDevice, stream),
        "taking what other processes gave");
}

}  // namespace orrery::cuda
