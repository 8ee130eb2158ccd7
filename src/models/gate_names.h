// What the gates of a model with attention weigh, for those who want to look at them. Gates of
// other models (a projection, a curvature) are no weights and have no names.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "models/bsca.h"
#include "models/hge.h"

namespace orrery {

struct GateName {
  int gate = 0;
  std::string_view view;  // what is weighed
  std::string_view part;  // of its numbers; "": all
};

template <class M>
inline constexpr std::array<GateName, 0> gate_names = {};

template <class Product>
inline constexpr std::array gate_names<Bsca<RealAttention, Product>> = {
    GateName{0, "time", ""}, GateName{1, "relation", ""}};
template <class Product>
inline constexpr std::array gate_names<Bsca<ModulusAttention, Product>> =
    gate_names<Bsca<RealAttention, Product>>;
template <class Product>
inline constexpr std::array gate_names<Bsca<SplitAttention, Product>> = {
    GateName{0, "time", "real"}, GateName{1, "relation", "real"}, GateName{2, "time", "imaginary"},
    GateName{3, "relation", "imaginary"}};
template <class Product>
inline constexpr std::array gate_names<Bsca<ProductAttention, Product>> =
    gate_names<Bsca<SplitAttention, Product>>;
template <>
inline constexpr std::array gate_names<HGE> = {
    GateName{0, "time", "real"}, GateName{2, "lasting", "real"}, GateName{1, "time", "imaginary"},
    GateName{3, "lasting", "imaginary"}};

}  // namespace orrery
