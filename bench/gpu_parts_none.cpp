#include "base/error.h"
#include "gpu_products.h"

namespace orrery {

double milliseconds_of_gpu_products(Engine&) { fail_broken("this program was built without CUDA"); }

}  // namespace orrery
