#include "emulated_gpu/threads.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

namespace orrery::emulated_gpu {
namespace {

constexpr std::size_t stack_bytes = std::size_t{512} << 10;
constexpr unsigned most_threads = 1024;

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "the emulated GPU: %s, in thread %u of block %u, %u\n", why, threadIdx.x,
               blockIdx.x, blockIdx.y);
  std::abort();
}

// Is passed when all threads that still run have come to it.
struct Barrier {
  unsigned arrived = 0, running = 0;
  std::size_t passed = 0;

  void pass_if_complete() {
    if (arrived == 0 || arrived < running) return;
    arrived = 0;
    ++passed;
  }
};

struct Warp {
  Barrier barrier;
  std::array<std::array<std::array<std::byte, 8>, warp_lanes>, 2> given;  // by turns
  std::array<unsigned, 2> ballot{};
};

struct Fiber {
  void* stack = nullptr;
  ucontext_t start{};
  jmp_buf here{};
  bool is_started = false, is_done = true;
  const Barrier* waits_for = nullptr;
  std::size_t waits_until = 0;  // so many have passed

  bool may_run() const {
    return !is_done && (waits_for == nullptr || waits_for->passed >= waits_until);
  }
};

// The blocks that one thread of the host runs, one at a time.
class Block {
 public:
  ~Block() {
    for (Fiber& fiber : fibers_)
      if (fiber.stack != nullptr) munmap(fiber.stack, stack_bytes);
  }

  void run(const std::function<void()>& thread) {
    thread_ = &thread;
    const unsigned threads = blockDim.x * blockDim.y;
    grow(threads);
    barrier_ = {.running = threads};
    warps_.assign((threads + warp_lanes - 1) / warp_lanes, {});
    for (unsigned t = 0; t < threads; ++t) {
      ++warps_[t / warp_lanes].barrier.running;
      fibers_[t].is_done = false;
      fibers_[t].waits_for = nullptr;
    }
    while (barrier_.running > 0) {
      bool any_ran = false;
      for (unsigned t = 0; t < threads; ++t)
        if (fibers_[t].may_run()) {
          resume(t);
          any_ran = true;
        }
      if (!any_ran) give_up("all threads wait for each other");
    }
  }

  void yield() {
    if (_setjmp(fibers_[current_].here) == 0) _longjmp(scheduler_, 1);
  }
  void wait(Barrier& barrier) {
    Fiber& fiber = fibers_[current_];
    fiber.waits_until = barrier.passed + 1;
    fiber.waits_for = &barrier;
    ++barrier.arrived;
    barrier.pass_if_complete();
    if (!fiber.may_run()) yield();
    fiber.waits_for = nullptr;
  }
  Barrier& barrier() { return barrier_; }
  Warp& warp() { return warps_[current_ / warp_lanes]; }
  std::array<bool, 2>& votes() { return votes_; }
  unsigned char* shared() { return shared_.get(); }

 private:
  void grow(unsigned threads) {
    if (threads > most_threads) give_up("a block has more than 1,024 threads");
    while (fibers_.size() < threads) {
      Fiber fiber;
      fiber.stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (fiber.stack == MAP_FAILED) give_up("no memory for a stack");
      fibers_.push_back(fiber);
    }
  }

  void resume(unsigned t) {
    current_ = t;
    threadIdx = {t % blockDim.x, t / blockDim.x};
    if (_setjmp(scheduler_) != 0) return;
    Fiber& fiber = fibers_[t];
    if (fiber.is_started) _longjmp(fiber.here, 1);
    fiber.is_started = true;
    getcontext(&fiber.start);
    fiber.start.uc_stack.ss_sp = fiber.stack;
    fiber.start.uc_stack.ss_size = stack_bytes;
    fiber.start.uc_link = nullptr;
    makecontext(&fiber.start, &Block::begin_fiber, 0);
    setcontext(&fiber.start);
  }

  // A fiber lives on from block to block.
  static void begin_fiber() { of_this_thread().run_fiber(); }
  void run_fiber() {
    for (;;) {
      (*thread_)();
      Warp& own = warp();
      --own.barrier.running;
      own.barrier.pass_if_complete();
      --barrier_.running;
      barrier_.pass_if_complete();
      fibers_[current_].is_done = true;
      yield();
    }
  }

  const std::function<void()>* thread_ = nullptr;
  std::vector<Fiber> fibers_;
  jmp_buf scheduler_{};
  unsigned current_ = 0;
  Barrier barrier_;
  std::vector<Warp> warps_;
  std::array<bool, 2> votes_{};
  std::unique_ptr<unsigned char[], decltype(&std::free)> shared_{
      static_cast<unsigned char*>(std::aligned_alloc(128, shared_bytes)), &std::free};

 public:
  static Block& of_this_thread() {
    static thread_local constinit Block* known = nullptr;
    if (known == nullptr) {
      static thread_local Block block;
      known = &block;
    }
    return *known;
  }
};

// What is voted by all threads of a block, in turns; `neutral` is what no vote changes.
bool vote(bool own, bool neutral) {
  Block& block = Block::of_this_thread();
  Barrier& barrier = block.barrier();
  bool& result = block.votes()[barrier.passed % 2];
  if (barrier.arrived == 0) result = neutral;
  if (own != neutral) result = own;
  block.wait(barrier);
  return result;
}

}  // namespace

void run_kernel(const dim3& grid, const dim3& block, std::size_t shared,
                const std::function<void()>& thread) {
  Block& runner = Block::of_this_thread();
  gridDim = grid;
  blockDim = block;
  if (grid.x == 0 || grid.y == 0 || grid.y > 65535 || grid.z == 0 || grid.z > 65535 || block.x == 0)
    give_up("no such grid");
  if (block.z != 1) give_up("blocks have two dimensions here");
  if (shared > shared_bytes) give_up("no block has so much shared memory");
  const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
  for (std::size_t b = 0; b < blocks; ++b) {
    blockIdx = {static_cast<unsigned>(b % grid.x), static_cast<unsigned>(b / grid.x % grid.y),
                static_cast<unsigned>(b / grid.x / grid.y)};
    std::memset(runner.shared(), 0xff, shared);  // NaN
    runner.run(thread);
  }
}

void* dynamic_shared() { return Block::of_this_thread().shared(); }

void let_others_run() { Block::of_this_thread().yield(); }

void wait_for_block() {
  Block& block = Block::of_this_thread();
  block.wait(block.barrier());
}

bool any_of_block(bool own) { return vote(own, false); }
bool all_of_block(bool own) { return vote(own, true); }

int own_lane() { return static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x) % warp_lanes; }

void exchange_in_warp(const void* own, void* given, std::size_t size, int from) {
  Block& block = Block::of_this_thread();
  Warp& warp = block.warp();
  auto& values = warp.given[warp.barrier.passed % 2];
  std::memcpy(values[static_cast<std::size_t>(own_lane())].data(), own, size);
  block.wait(warp.barrier);
  std::memcpy(given, values[static_cast<std::size_t>(from) % warp_lanes].data(), size);
}

unsigned ballot_of_warp(bool own) {
  Block& block = Block::of_this_thread();
  Warp& warp = block.warp();
  unsigned& ballot = warp.ballot[warp.barrier.passed % 2];
  if (warp.barrier.arrived == 0) ballot = 0;
  if (own) ballot |= 1U << own_lane();
  block.wait(warp.barrier);
  return ballot;
}

}  // namespace orrery::emulated_gpu
