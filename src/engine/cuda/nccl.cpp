#include "engine/cuda/nccl.h"

#include <dlfcn.h>

#include "base/error.h"
#include "base/loaded_library.h"

namespace orrery::cuda {
namespace {

constexpr const char* library_name = "libnccl.so.2";

About without_nccl() {
  return {.option = "exchange",
          .advice = worded("install NCCL (libnccl2, or pip's nvidia-nccl-cu13 in the library "
                           "path), or take $exchange host")};
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  if (!find_function(library, name, function))
    fail_request(without_nccl(), "{} has no function {}: version 2.7 or later is needed",
                 library_name, name);
}

Nccl load() {
  void* library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_request(without_nccl(), "NCCL could not be loaded ({})", dlerror());
  Nccl found{};
  find(library, "ncclGetVersion", found.get_version);
  find(library, "ncclGetUniqueId", found.get_unique_id);
  find(library, "ncclCommInitRank", found.comm_init_rank);
  find(library, "ncclCommDestroy", found.comm_destroy);
  find(library, "ncclCommAbort", found.comm_abort);
  find(library, "ncclCommGetAsyncError", found.comm_get_async_error);
  find(library, "ncclGetErrorString", found.get_error_string);
  find(library, "ncclGroupStart", found.group_start);
  find(library, "ncclGroupEnd", found.group_end);
  find(library, "ncclSend", found.send);
  find(library, "ncclRecv", found.receive);
  return found;
}

}  // namespace

const Nccl& nccl() {
  static const Nccl loaded = load();
  return loaded;
}

}  // namespace orrery::cuda
