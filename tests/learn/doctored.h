// Checkpoints changed by somebody who knows how: their checksums fit again.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "learn/checkpoint.h"

namespace orrery::testing {

inline void rewrite_checkpoint(const std::filesystem::path& path, std::vector<TensorView> tensors,
                               const Metadata& metadata) {
  std::erase_if(tensors, [](const TensorView& tensor) { return tensor.name == "checksums"; });
  std::vector<TensorSpec> specs;
  for (const TensorView& tensor : tensors)
    specs.push_back({tensor.name, tensor.dtype, tensor.shape});
  write_checkpoint(path, specs, metadata, [&](std::size_t i) { return tensors[i].data; });
}

inline void rewrite_metadata(const std::filesystem::path& path, const std::string& key,
                             const std::string& value) {
  const SafetensorsFile file(path);
  Metadata metadata = file.metadata();
  metadata[key] = value;
  rewrite_checkpoint(path, file.tensors(), metadata);
}

// The tensor of this name becomes another one.
inline void rewrite_tensor(const std::filesystem::path& path, const std::string& name,
                           const std::function<TensorView(TensorView)>& change) {
  const SafetensorsFile file(path);
  auto tensors = file.tensors();
  for (TensorView& tensor : tensors)
    if (tensor.name == name) tensor = change(tensor);
  rewrite_checkpoint(path, tensors, file.metadata());
}

}  // namespace orrery::testing
