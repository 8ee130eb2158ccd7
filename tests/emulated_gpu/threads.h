// Threads of an emulated GPU. A block's threads are fibers of one thread of the host, which run in
// turns from barrier to barrier; blocks run one after the other. So what a kernel computes is
// defined by its barriers alone, as on a GPU, and a thread that waits for ever is noticed.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>

#include "cuda_runtime_api.h"

inline thread_local constinit dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace orrery::emulated_gpu {

inline constexpr int warp_lanes = 32;
inline constexpr std::size_t shared_bytes = 227 << 10;  // that a block may ask for, as on an H100

// Runs `thread` once for every thread of every block.
void run_kernel(const dim3& grid, const dim3& block, std::size_t shared,
                const std::function<void()>& thread);
void* dynamic_shared();

// Of the thread that calls them.
void let_others_run();
void wait_for_block();
bool any_of_block(bool own);  // with a barrier, as all_of_block
bool all_of_block(bool own);
// Every lane of the warp gives a value of up to eight bytes; what lane `from` gave is returned.
void exchange_in_warp(const void* own, void* given, std::size_t size, int from);
unsigned ballot_of_warp(bool own);
int own_lane();

template <class T>
T from_lane(T own, int lane) {
  static_assert(sizeof(T) <= 8);
  T given;
  exchange_in_warp(&own, &given, sizeof(T), lane);
  return given;
}

}  // namespace orrery::emulated_gpu
