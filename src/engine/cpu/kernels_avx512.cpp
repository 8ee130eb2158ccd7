#define INSTRUCTION_SET avx512
#include "engine/cpu/kernels_impl.h"
