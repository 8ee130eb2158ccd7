// Streams that have not done their work, as far as events tell.
#pragma once

#include <atomic>

namespace orrery::emulated_gpu {

std::atomic<bool>& streams_hang();

}  // namespace orrery::emulated_gpu
