#define INSTRUCTION_SET avx2
#include "engine/cpu/kernels_impl.h"
