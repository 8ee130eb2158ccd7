// Where the bytes of a facts file come from: plain, gzip or Zstandard, or standard input, streamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace orrery {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the front of `into` and says how many bytes it wrote; 0 only at the end.
  // A damaged or truncated stream is a request Error that names the file.
  virtual std::size_t read(std::span<char> into) = 0;
};

// A source whose beginning can be looked at before it is read.
class HeadBytes final : public ByteSource {
 public:
  explicit HeadBytes(std::unique_ptr<ByteSource> rest);

  // The first bytes, `most` of them or, where the source is shorter, all. Before the first read.
  std::string_view head(std::size_t most);
  // Leaves the first bytes out; they must have been looked at.
  void skip(std::size_t bytes) { taken_ += bytes; }
  std::size_t read(std::span<char> into) override;

 private:
  std::unique_ptr<ByteSource> rest_;
  std::string head_;
  std::size_t taken_ = 0;
};

// "-" is standard input. What is compressed is known by its first bytes; a file that ends in .gz or
// .zst must be.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path);
// What Errors call it.
std::string name_of_source(const std::filesystem::path& path);

}  // namespace orrery
