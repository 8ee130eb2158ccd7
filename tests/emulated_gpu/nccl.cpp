// NCCL between threads whose device is emulated: a send and its receive meet, and must be of one
// size; whoever leaves in order waits for the others; an abort ends all.
#include "engine/cuda/nccl.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace orrery::cuda {
namespace {

constexpr Nccl::Result aborted = 3, not_in_a_group = 5;

struct Parcel {
  const void* data = nullptr;
  std::size_t bytes = 0;
  bool is_taken = false;
};

// What the members of one link share.
struct Link {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::vector<Parcel*>> on_the_way;  // by sender and receiver
  int leaving = 0;
  bool is_aborted = false;
};

Link& link_of(const Nccl::Id& id) {
  static std::mutex mutex;
  static std::map<std::string, Link> links;  // as long as the program
  const std::lock_guard lock(mutex);
  return links[id.bytes];
}

}  // namespace

struct ncclComm {
  Link& link;
  int size = 1, rank = 0;
};

namespace {

struct Order {
  ncclComm* member;
  bool sends;
  void* data;
  std::size_t bytes;
  int other;
};
thread_local std::vector<Order> group;
thread_local bool in_group = false;

Nccl::Result add(const Order& order) {
  if (!in_group) return not_in_a_group;  // the engine groups all that it orders
  group.push_back(order);
  return Nccl::success;
}

Nccl::Result carry_out(std::vector<Order> orders) {
  if (orders.empty()) return Nccl::success;
  Link& link = orders.front().member->link;
  std::unique_lock lock(link.mutex);
  std::vector<Parcel> parcels(orders.size());
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const Order& order = orders[i];
    if (!order.sends) continue;
    parcels[i] = {order.data, order.bytes};
    link.on_the_way[{order.member->rank, order.other}].push_back(&parcels[i]);
  }
  link.changed.notify_all();
  for (const Order& order : orders) {
    if (order.sends) continue;
    auto& coming = link.on_the_way[{order.other, order.member->rank}];
    link.changed.wait(lock, [&] { return link.is_aborted || !coming.empty(); });
    if (link.is_aborted) return aborted;
    Parcel& parcel = *coming.front();
    coming.erase(coming.begin());
    if (parcel.bytes != order.bytes) {
      std::fprintf(stderr, "the emulated NCCL: %zu bytes are sent where %zu are expected\n",
                   parcel.bytes, order.bytes);
      std::abort();
    }
    std::memcpy(order.data, parcel.data, order.bytes);
    parcel.is_taken = true;
    link.changed.notify_all();
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (!orders[i].sends) continue;
    link.changed.wait(lock, [&] { return link.is_aborted || parcels[i].is_taken; });
    if (link.is_aborted) return aborted;
  }
  return Nccl::success;
}

Nccl::Result make_id(Nccl::Id* id) {
  static std::mutex mutex;
  static int made = 0;
  const std::lock_guard lock(mutex);
  *id = {};
  std::snprintf(id->bytes, sizeof(id->bytes), "link %d", ++made);
  return Nccl::success;
}
Nccl::Result join(Nccl::Communicator* made, int size, Nccl::Id id, int rank) {
  *made = std::make_unique<ncclComm>(ncclComm{link_of(id), size, rank}).release();
  return Nccl::success;
}
Nccl::Result leave(Nccl::Communicator member) {
  const std::unique_ptr<ncclComm> owned(member);
  Link& link = owned->link;
  std::unique_lock lock(link.mutex);
  ++link.leaving;
  link.changed.notify_all();
  link.changed.wait(lock, [&] { return link.is_aborted || link.leaving == owned->size; });
  return Nccl::success;
}
Nccl::Result abort_link(Nccl::Communicator member) {
  const std::unique_ptr<ncclComm> owned(member);
  const std::lock_guard lock(owned->link.mutex);
  owned->link.is_aborted = true;
  owned->link.changed.notify_all();
  return Nccl::success;
}

}  // namespace

const Nccl& nccl() {
  static const Nccl emulated{
      [](int* version) {
        *version = 0;
        return Nccl::success;
      },
      make_id,
      join,
      leave,
      abort_link,
      [](Nccl::Communicator, Nccl::Result* error) {
        *error = Nccl::success;
        return Nccl::success;
      },
      [](Nccl::Result) { return "an error of the emulated NCCL"; },
      [] {
        in_group = true;
        return Nccl::success;
      },
      [] {
        in_group = false;
        return carry_out(std::exchange(group, {}));
      },
      [](const void* data, std::size_t bytes, int, int to, Nccl::Communicator member,
         cudaStream_t) {
        return add({member, true, const_cast<void*>(data), bytes, to});
      },
      [](void* data, std::size_t bytes, int, int from, Nccl::Communicator member, cudaStream_t) {
        return add({member, false, data, bytes, from});
      }};
  return emulated;
}

}  // namespace orrery::cuda
