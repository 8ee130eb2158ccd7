#include "engine/cuda/cublas_lt.h"

#include <dlfcn.h>

#include "base/error.h"
#include "base/loaded_library.h"

namespace orrery::cuda {
namespace {

// By its name, then where it was when this program was built; ORRERY_CUBLAS_LT and
// ORRERY_CUBLAS_FOLDER come from the build.
void* open_library() {
  constexpr int flags = RTLD_NOW | RTLD_LOCAL;
  if (void* library = dlopen(ORRERY_CUBLAS_LT, flags)) return library;
  if (void* library = dlopen(ORRERY_CUBLAS_FOLDER "/" ORRERY_CUBLAS_LT, flags)) return library;
  fail_request(About{.option = "device",
                     .advice = worded("install cuBLAS of that version (for Python: pip install "
                                      "orrery[cuda]), or take $device cpu")},
               "the GPU's matrix library could not be loaded ({})", dlerror());
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  if (!find_function(library, name, function))
    fail_request(About{.option = "device"}, "{} has no function {}", ORRERY_CUBLAS_LT, name);
}

CublasLt load() {
  void* library = open_library();
  CublasLt found{};
  find(library, "cublasLtCreate", found.create);
  find(library, "cublasLtDestroy", found.destroy);
  find(library, "cublasLtGetStatusString", found.status_string);
  find(library, "cublasLtGetVersion", found.version);
  find(library, "cublasLtMatmul", found.matmul);
  find(library, "cublasLtMatmulAlgoGetHeuristic", found.heuristic);
  find(library, "cublasLtMatmulDescCreate", found.desc_create);
  find(library, "cublasLtMatmulDescDestroy", found.desc_destroy);
  find(library, "cublasLtMatmulDescSetAttribute", found.desc_set);
  find(library, "cublasLtMatmulPreferenceCreate", found.preference_create);
  find(library, "cublasLtMatmulPreferenceDestroy", found.preference_destroy);
  find(library, "cublasLtMatmulPreferenceSetAttribute", found.preference_set);
  find(library, "cublasLtMatrixLayoutCreate", found.layout_create);
  find(library, "cublasLtMatrixLayoutDestroy", found.layout_destroy);
  return found;
}

}  // namespace

const CublasLt& cublas_lt() {
  static const CublasLt loaded = load();
  return loaded;
}

}  // namespace orrery::cuda
