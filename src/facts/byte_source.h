// Where the bytes of a facts file come from: plain, gzip (.gz) or Zstandard (.zst), streamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace orrery {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the front of `into` and says how many bytes it wrote; 0 only at the end.
  // A damaged or truncated stream is a request Error that names the file.
  virtual std::size_t read(std::span<char> into) = 0;
};

// The decompressor is chosen by the file's ending.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path);

}  // namespace orrery
