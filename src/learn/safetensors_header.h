// The header of a safetensors file, as text and as the tensors that it places.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/safetensors.h"

namespace orrery {

// The bytes of a shape, or nothing when they cannot be counted in 64 bits.
std::optional<std::uint64_t> bytes_of(Dtype dtype, std::span<const std::uint64_t> shape);

// The JSON, padded so that the data behind it is aligned. What is no UTF-8 is nlohmann's exception.
std::string header_text(std::span<const TensorSpec> tensors, const Metadata& metadata);

struct SafetensorsHeader {
  std::vector<TensorView> tensors;  // in the order of their data
  Metadata metadata;
  std::string fault;  // why the text is no header of this data; empty: it is one
};
// `data`: all that follows the header in the file.
SafetensorsHeader read_header(std::string_view text, std::span<const std::byte> data);

}  // namespace orrery
