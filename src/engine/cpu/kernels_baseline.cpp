#define INSTRUCTION_SET baseline
#include "engine/cpu/kernels_impl.h"
