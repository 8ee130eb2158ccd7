// Formulas are inlined into the engines' loops by force: a call a node costs a factor of seven.
// They are constexpr so that a device compiler may use them as they stand.
#pragma once

#define ORRERY_INLINE __attribute__((always_inline)) constexpr
#define ORRERY_INLINE_LAMBDA __attribute__((always_inline))
