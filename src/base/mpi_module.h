// Finds the module that knows MPI (base/mpi), which a build has where MPI was installed.
#pragma once

#include "base/mpi/mpi_calls.h"

namespace orrery {

// Loaded by the first call. Where there is none it is a request Error.
const OrreryMpiCalls& mpi_module();

}  // namespace orrery
