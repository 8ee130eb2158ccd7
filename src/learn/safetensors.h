// Checkpoint files in the public safetensors layout: the length of a JSON header (8 bytes, little
// endian), the header {"name": {"dtype", "shape", "data_offsets"}, …, "__metadata__"}, the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"

namespace orrery {

enum class Dtype { f32, f64, i64, u64, u8 };
std::string_view name_of(Dtype dtype);  // as in the file: "F32"
std::size_t size_of(Dtype dtype);       // in bytes

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  if constexpr (std::is_same_v<T, double>) return Dtype::f64;
  if constexpr (std::is_same_v<T, std::int64_t>) return Dtype::i64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Dtype::u64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Dtype::u8;
}

// A named array whose bytes belong to somebody else: the caller, or the mapped file.
struct TensorView {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> data;

  std::uint64_t values() const { return data.size() / size_of(dtype); }
};

template <class T>
TensorView tensor_view(std::string name, std::vector<std::uint64_t> shape,
                       std::span<const T> values) {
  return {std::move(name), dtype_of<T>(), std::move(shape), std::as_bytes(values)};
}

using Metadata = std::map<std::string, std::string>;

// What a tensor will be, before its bytes are at hand.
struct TensorSpec {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::uint64_t> shape;
};
// Gives the bytes of tensor i, which need only last until the next call.
using TensorBytes = std::function<std::span<const std::byte>(std::size_t i)>;

// How a file of these begins: the length of the header, and the header. `path` is for the Error
// that names are not UTF-8, or too many.
std::string safetensors_header(const std::filesystem::path& path,
                               std::span<const TensorSpec> tensors, const Metadata& metadata);

// Is shown every piece of the data of tensor i before it is written, which brings it into the
// caches.
using PieceObserver = std::function<void(std::size_t i, std::span<const std::byte> piece)>;

// Same arguments, same bytes. Tensors stand in the file in the given order; put wide types first if
// other programs shall find them aligned. Names and metadata must be UTF-8.
void write_safetensors(const std::filesystem::path& path, std::span<const TensorSpec> tensors,
                       const Metadata& metadata, const TensorBytes& bytes,
                       const PieceObserver& seen = {});
void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const Metadata& metadata);

// A file is mapped and believed in nothing: whatever is not exactly the layout is a request Error.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path, FileUse use = FileUse::mapped);

  const std::filesystem::path& path() const { return path_; }
  std::span<const std::byte> header() const { return header_; }        // the length and the JSON
  const std::vector<TensorView>& tensors() const { return tensors_; }  // in the order of their data
  const Metadata& metadata() const { return metadata_; }

  const TensorView* find(std::string_view name) const;  // null: there is none
  // What is absent or not as wanted is a request Error.
  const TensorView& require(std::string_view name) const;
  const TensorView& require(std::string_view name, Dtype dtype,
                            std::span<const std::uint64_t> shape) const;
  const std::string& require_metadata(const std::string& key) const;

 private:
  std::filesystem::path path_;
  MappedFile file_;
  std::span<const std::byte> header_;
  std::vector<TensorView> tensors_;
  Metadata metadata_;
};

// Values [first, first + to.size()) of a tensor, which need not be aligned in the file.
template <class T>
void copy_values(const TensorView& tensor, std::uint64_t first, std::span<T> to) {
  if (tensor.dtype != dtype_of<T>() || first > tensor.values() ||
      to.size() > tensor.values() - first) {
    fail_broken("values {} to {} asked as {} of tensor '{}', which has {} of {}", first,
                first + to.size(), name_of(dtype_of<T>()), tensor.name, tensor.values(),
                name_of(tensor.dtype));
  }
  if (!to.empty()) {
    std::memcpy(to.data(), tensor.data.data() + first * sizeof(T), to.size_bytes());
  }
}

}  // namespace orrery
