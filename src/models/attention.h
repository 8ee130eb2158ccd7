// How BSCA weighs an entity's time view u against its relation view v: five readings of the
// paper's "complex-valued attention". Each says which votes it casts (summed over the row), how
// votes become gates, and how gates enter the fused row.
#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

#include "math/complex_parts.h"
#include "math/dual.h"
#include "math/lane.h"

namespace orrery {

// Softmax over two logits.
template <class T>
ORRERY_INLINE std::array<T, 2> softmax_pair(const T& first, const T& second) {
  return {sigmoid(first - second), sigmoid(second - first)};
}

struct NoAttention {
  static constexpr std::string_view name = "none";
  static constexpr int votes = 0, gates = 0;
  ORRERY_INLINE static auto fuse(auto& lane, const auto& u, const auto& v) {
    return lane.constant(0.5F) * (u + v);
  }
};

struct RealAttention {
  static constexpr std::string_view name = "real";
  static constexpr int votes = 2, gates = 2;
  ORRERY_INLINE static auto vote(const auto& a, const auto& u, const auto& v) {
    return std::tuple(inner(a, u), inner(a, v));
  }
  template <class T>
  ORRERY_INLINE static std::array<T, 2> gate(const std::array<T, 2>& z) {
    return softmax_pair(z[0], z[1]);
  }
  ORRERY_INLINE static auto fuse(auto& lane, const auto& u, const auto& v) {
    return lane.gate(0) * u + lane.gate(1) * v;
  }
};

// Votes of the three complex readings: Re z_u, Re z_v, Im z_u, Im z_v.
ORRERY_INLINE auto complex_votes(const auto& a, const auto& u, const auto& v) {
  return std::tuple(bilinear_real(a, u), bilinear_real(a, v), bilinear_imaginary(a, u),
                    bilinear_imaginary(a, v));
}
template <class T>
ORRERY_INLINE std::array<T, 4> softmax_of_parts(const std::array<T, 4>& z) {
  const auto real = softmax_pair(z[0], z[1]);
  const auto imaginary = softmax_pair(z[2], z[3]);
  return {real[0], real[1], imaginary[0], imaginary[1]};
}

// The softmax of Re z weighs the real parts, that of Im z the imaginary parts.
struct SplitAttention {
  static constexpr std::string_view name = "split";
  static constexpr int votes = 4, gates = 4;
  ORRERY_INLINE static auto vote(const auto& a, const auto& u, const auto& v) {
    return complex_votes(a, u, v);
  }
  template <class T>
  ORRERY_INLINE static std::array<T, 4> gate(const std::array<T, 4>& z) {
    return softmax_of_parts(z);
  }
  ORRERY_INLINE static auto fuse(auto& lane, const auto& u, const auto& v) {
    return weigh_parts(lane.gate(0), lane.gate(2), u) + weigh_parts(lane.gate(1), lane.gate(3), v);
  }
};

// The two softmaxes are the parts of one complex weight.
struct ProductAttention {
  static constexpr std::string_view name = "product";
  static constexpr int votes = 4, gates = 4;
  ORRERY_INLINE static auto vote(const auto& a, const auto& u, const auto& v) {
    return complex_votes(a, u, v);
  }
  template <class T>
  ORRERY_INLINE static std::array<T, 4> gate(const std::array<T, 4>& z) {
    return softmax_of_parts(z);
  }
  ORRERY_INLINE static auto fuse(auto& lane, const auto& u, const auto& v) {
    return scale_parts(lane.gate(0), lane.gate(2), u) + scale_parts(lane.gate(1), lane.gate(3), v);
  }
};

// The softmax over |z_u|, |z_v|.
struct ModulusAttention {
  static constexpr std::string_view name = "modulus";
  static constexpr int votes = 4, gates = 2;
  ORRERY_INLINE static auto vote(const auto& a, const auto& u, const auto& v) {
    return complex_votes(a, u, v);
  }
  template <class T>
  ORRERY_INLINE static std::array<T, 2> gate(const std::array<T, 4>& z) {
    return softmax_pair(modulus(z[0], z[2]), modulus(z[1], z[3]));
  }
  ORRERY_INLINE static auto fuse(auto& lane, const auto& u, const auto& v) {
    return lane.gate(0) * u + lane.gate(1) * v;
  }
};

}  // namespace orrery
