// The body of each kernels_<instruction set>.cpp, which defines INSTRUCTION_SET and is compiled
// with that set's flags. Everything outside the namespace must be forced inline: a function shared
// with other files could be linked from here into a machine that lacks the instructions.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <experimental/simd>
#include <limits>
#include <vector>

#include "engine/cpu/kernels.h"
#include "engine/row_pass.h"
#include "models/list.h"

#define ORRERY_TEXT(x) #x
#define ORRERY_NAME(x) ORRERY_TEXT(x)

namespace orrery::cpu::INSTRUCTION_SET {
namespace {

#include "engine/cpu/flat_loops.h"
#include "engine/cpu/row_loops.h"
// These use the row loops' vectors:
#include "engine/cpu/compare_loops.h"
#include "engine/cpu/smooth_loops.h"
// and this uses them all:
#include "engine/cpu/kernel_table.h"

}  // namespace

extern const Kernels kernels;
const Kernels kernels = {
    .name = ORRERY_NAME(INSTRUCTION_SET),
    .rows = TableFor<AllModels>::all,
    .softmax_back = softmax_back,
    .softmax_part_back = softmax_part_back,
    .updates = UpdatesBy<AllOptimizers>::all,
    .add = add_row,
    .to_bf16 = to_bf16,
    .average = average,
    .count_above = count_above,
    .peak = peak,
    .dots = dots,
};

}  // namespace orrery::cpu::INSTRUCTION_SET
