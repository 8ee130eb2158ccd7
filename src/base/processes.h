// The processes that train with this one.
#pragma once

#include "base/communicator.h"

namespace orrery {

// Those that this thread trains with; null: it is alone.
Communicator* current_processes();
void set_current_processes(Communicator* processes);

// How many of them compute on the very cores that this process may use, itself included.
int sharers_of_cores(Communicator& processes);
// How many of them share this machine's memory, itself included.
int sharers_of_machine(Communicator& processes);
// How many of those have a lower rank than this process.
int rank_on_machine(Communicator& processes);

}  // namespace orrery
