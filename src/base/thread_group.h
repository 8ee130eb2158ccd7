// Processes that are threads of one program: for tests and benchmarks.
#pragma once

#include <functional>

#include "base/communicator.h"

namespace orrery {

// Runs body(communicator) in `size` threads and waits for all of them. What the first of them threw
// is thrown again. In each of them the communicator is that of current_processes().
void run_as_threads(int size, const std::function<void(Communicator&)>& body);

}  // namespace orrery
