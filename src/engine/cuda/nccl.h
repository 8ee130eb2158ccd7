// The functions of NCCL that are used, loaded when a training asks for them. They are declared here
// as NCCL has had them since version 2.7, so that no build needs it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace orrery::cuda {

struct Nccl {
  using Communicator = struct ncclComm*;
  using Result = int;
  struct Id {
    char bytes[128];
  };
  static constexpr Result success = 0, in_progress = 7;
  static constexpr int bytes = 0;  // the type of what is sent

  Result (*get_version)(int* version);
  Result (*get_unique_id)(Id* id);
  Result (*comm_init_rank)(Communicator* made, int size, Id id, int rank);
  Result (*comm_destroy)(Communicator);
  Result (*comm_abort)(Communicator);
  Result (*comm_get_async_error)(Communicator, Result* error);
  const char* (*get_error_string)(Result);
  Result (*group_start)();
  Result (*group_end)();
  Result (*send)(const void* data, std::size_t count, int type, int to, Communicator, cudaStream_t);
  Result (*receive)(void* data, std::size_t count, int type, int from, Communicator, cudaStream_t);
};

// Where it cannot be loaded, a request Error.
const Nccl& nccl();

}  // namespace orrery::cuda
