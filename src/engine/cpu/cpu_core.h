#pragma once

#include <cstddef>

namespace orrery::cpu {

inline constexpr std::size_t core_rows = 64;  // whose outer products are held at once

}  // namespace orrery::cpu
