#include "engine/cuda/direct_link.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "base/agreement.h"
#include "base/error.h"
#include "base/patience.h"
#include "engine/cuda/part_kernels.h"

namespace orrery::cuda {
namespace {

constexpr std::size_t part_floats = std::size_t{8} << 20;  // 32 MiB

// NCCL from 2.30 on connects processes of one GPU where it is told to.
bool may_share_a_card() {
  const char* allowed = std::getenv("NCCL_MULTI_RANK_GPU_ENABLE");
  return allowed != nullptr && std::string_view(allowed) == "1";
}

// All processes have the library, of one version, and a card each.
const Nccl& require_link(Communicator& processes, const std::string& card) {
  int version = 0;
  together(&processes, [&] { nccl().get_version(&version); });
  require_same(&processes, "version of NCCL", std::to_string(version),
               worded("install the same one for all of them, or take $exchange host"));
  const auto cards = processes.texts(card);
  const auto sharing = std::ranges::count(cards, card);
  together(&processes, [&] {
    if (sharing > 1 && !may_share_a_card())
      fail_request(About{.option = "exchange",
                         .advice = worded("start one process for each GPU, or take $exchange "
                                          "host")},
                   "{} processes have the GPU {}, and NCCL connects one process of each", sharing,
                   card);
  });
  return nccl();
}

}  // namespace

DirectLink::DirectLink(Communicator& processes, const std::string& card)
    : processes_(processes),
      nccl_(require_link(processes, card)),
      failures_around_(std::uncaught_exceptions()) {
  together(&processes_, [&] { parts_ = DeviceBuffer<float>(part_floats); });
  Nccl::Id id{};
  by_leader(&processes_,
            [&] { check(nccl_.get_unique_id(&id), "preparing to connect processes"); });
  processes_.share(std::span<char>(id.bytes));
  together(&processes_, [&] {
    check(nccl_.comm_init_rank(&link_, processes_.size(), id, processes_.rank()),
          "connecting processes");
  });
}

bool DirectLink::is_failing() const {
  return is_lost_ || std::uncaught_exceptions() > failures_around_;
}

// Who leaves in order waits for the others to do so.
DirectLink::~DirectLink() {
  if (link_ == nullptr) return;
  if (is_failing())
    nccl_.comm_abort(link_);
  else
    nccl_.comm_destroy(link_);
}

void DirectLink::check(Nccl::Result result, const char* doing) const {
  if (result != Nccl::success && result != Nccl::in_progress)
    fail_broken("NCCL failed while {}: {}", doing, nccl_.get_error_string(result));
}

void DirectLink::gather(std::byte* all, std::span<const std::size_t> bytes, cudaStream_t stream) {
  std::size_t before = 0;
  for (std::size_t r = 0; r < me(); ++r) before += bytes[r];
  const std::byte* const own = all + before;
  check(nccl_.group_start(), "exchanging rows");
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    if (r != me()) {
      const int other = static_cast<int>(r);
      if (bytes[me()] > 0)
        check(nccl_.send(own, bytes[me()], Nccl::bytes, other, link_, stream), "sending rows");
      if (bytes[r] > 0)
        check(nccl_.receive(all, bytes[r], Nccl::bytes, other, link_, stream), "receiving rows");
    }
    all += bytes[r];
  }
  check(nccl_.group_end(), "exchanging rows");
  processes_.note_sent(bytes[me()] * (bytes.size() - 1));
}

void DirectLink::sum(float* values, std::size_t count, cudaStream_t stream) {
  const std::size_t most = part_floats - static_cast<std::size_t>(processes_.size());
  for (std::size_t done = 0; done < count; done += most)
    sum_piece(values + done, std::min(most, count - done), stream);
}

// Each process sums a block of the elements, in the order of the processes, and tells the others.
void DirectLink::sum_piece(float* values, std::size_t count, cudaStream_t stream) {
  const auto processes = static_cast<std::size_t>(processes_.size());
  const auto block = [&](std::size_t r) {
    return block_of(static_cast<std::int64_t>(count), static_cast<int>(r), processes_.size());
  };
  const auto floats_of = [&](std::size_t r) { return static_cast<std::size_t>(block(r).count); };
  const std::size_t own = floats_of(me());
  std::vector<std::size_t> bytes(processes);
  check(nccl_.group_start(), "exchanging sums");
  for (std::size_t r = 0; r < processes; ++r) {
    bytes[r] = floats_of(r) * sizeof(float);
    if (r == me()) continue;
    const int other = static_cast<int>(r);
    if (bytes[r] > 0)
      check(nccl_.send(values + block(r).first, bytes[r], Nccl::bytes, other, link_, stream),
            "sending sums");
    if (own > 0)
      check(nccl_.receive(parts_.data() + r * own, own * sizeof(float), Nccl::bytes, other, link_,
                          stream),
            "receiving sums");
  }
  check(nccl_.group_end(), "exchanging sums");
  processes_.note_sent((count - own) * sizeof(float));
  add_parts({parts_.data(), own, processes_.size(), processes_.rank(), values + block(me()).first},
            stream);
  gather(reinterpret_cast<std::byte*>(values), bytes, stream);
}

void DirectLink::wait_for(cudaEvent_t event) {
  try {
    Patience patience;
    for (;;) {
      const cudaError_t state = cudaEventQuery(event);
      if (state == cudaSuccess) return;
      if (state != cudaErrorNotReady) cuda::check(state, "exchanging with other processes");
      if (!patience.wait()) continue;
      Nccl::Result error = Nccl::success;
      check(nccl_.comm_get_async_error(link_, &error), "asking after an exchange");
      check(error, "exchanging with other processes");
      processes_.require_others();
    }
  } catch (const std::exception&) {
    is_lost_ = true;
    throw;
  }
}

}  // namespace orrery::cuda
