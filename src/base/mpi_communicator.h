// Processes that mpirun or srun started, by way of MPI.
#pragma once

#include <string>
#include <string_view>

#include "base/communicator.h"

namespace orrery {

// Joined by the first call; null: this process was started alone. Where several were started and
// MPI cannot be used it is an Error.
Communicator* launched_processes();

// For a process that ends because of `failure`: what is to be said of it here. If all processes
// have come to their end, the leader tells what went wrong in any of them, and the others nothing.
// If they have not, this one tells by its name, and end_launched() will end them.
std::string last_words_of_launched(const std::string& failure);
// The last call of a program. `code`: its exit code.
void end_launched(int code);

}  // namespace orrery
