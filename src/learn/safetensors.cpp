#include "learn/safetensors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "learn/safetensors_header.h"

namespace orrery {
namespace {

static_assert(std::endian::native == std::endian::little, "the layout is little endian");

constexpr std::uint64_t length_bytes = 8;
// The reference implementation's limit: what is longer would not be read elsewhere.
constexpr std::uint64_t longest_header = 100'000'000;
constexpr std::size_t piece_bytes = std::size_t{3} << 17;  // four turns of the checksum

}  // namespace

void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const Metadata& metadata) {
  std::vector<TensorSpec> specs;
  for (const TensorView& tensor : tensors)
    specs.push_back({tensor.name, tensor.dtype, tensor.shape});
  write_safetensors(path, specs, metadata, [&](std::size_t i) { return tensors[i].data; });
}

std::string safetensors_header(const std::filesystem::path& path,
                               std::span<const TensorSpec> tensors, const Metadata& metadata) {
  std::string text;
  try {
    text = header_text(tensors, metadata);
  } catch (const nlohmann::json::exception& error) {
    fail_request(About{.place = {path.string()}, .advice = "convert the facts to UTF-8"},
                 "cannot be written, a name is not UTF-8 ({})", error.what());
  }
  const std::uint64_t length = text.size();
  if (length > longest_header) {
    fail_request(About{.place = {path.string()}},
                 "cannot be written, its header takes {} bytes and the layout allows {}", length,
                 longest_header);
  }
  text.insert(0, reinterpret_cast<const char*>(&length), sizeof(length));
  return text;
}

void write_safetensors(const std::filesystem::path& path, std::span<const TensorSpec> tensors,
                       const Metadata& metadata, const TensorBytes& bytes,
                       const PieceObserver& seen) {
  const std::string header = safetensors_header(path, tensors, metadata);
  AtomicFile file(path);
  file.write(header);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto data = bytes(i);
    if (bytes_of(tensors[i].dtype, tensors[i].shape) != data.size()) {
      fail_broken("tensor '{}' has {} bytes, which is not what its shape says", tensors[i].name,
                  data.size());
    }
    for (std::size_t at = 0; at < data.size(); at += piece_bytes) {
      const auto piece = data.subspan(at, std::min(piece_bytes, data.size() - at));
      if (seen) seen(i, piece);
      file.write(piece);
    }
  }
  file.commit();
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path, FileUse use)
    : path_(path), file_(path, use) {
  const auto check = [&](bool good, std::string_view reason) {
    if (good) return;
    fail_request(
        About{.place = {path_.string()}, .advice = "copy it again, or go back to a backup"},
        "is damaged, cut short or no safetensors file ({})", reason);
  };
  const std::span<const std::byte> bytes = file_.bytes();
  check(bytes.size() >= length_bytes, "shorter than its first 8 bytes");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  check(length <= bytes.size() - length_bytes, "the header is longer than the file");
  check(length <= longest_header, "the header is longer than 100 MB");
  header_ = bytes.first(length_bytes + length);
  const std::string_view text = file_.text().substr(length_bytes, length);
  check(text.starts_with('{'), "the header does not begin with '{'");
  // No JSON holds one, but the parser would take it for the end and believe what follows.
  check(text.find('\0') == text.npos, "a zero byte in the header");

  SafetensorsHeader header = read_header(text, bytes.subspan(header_.size()));
  check(header.fault.empty(), header.fault);
  tensors_ = std::move(header.tensors);
  metadata_ = std::move(header.metadata);
}

const TensorView* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::find_if(tensors_.begin(), tensors_.end(),
                                  [&](const TensorView& tensor) { return tensor.name == name; });
  return found == tensors_.end() ? nullptr : &*found;
}

const TensorView& SafetensorsFile::require(std::string_view name) const {
  const TensorView* found = find(name);
  if (found == nullptr) {
    fail_request(About{.place = {path_.string()}, .advice = "is it a file of this model?"},
                 "has no tensor '{}'", name);
  }
  return *found;
}

const TensorView& SafetensorsFile::require(std::string_view name, Dtype dtype,
                                           std::span<const std::uint64_t> shape) const {
  const TensorView& found = require(name);
  if (found.dtype != dtype ||
      !std::equal(shape.begin(), shape.end(), found.shape.begin(), found.shape.end())) {
    fail_request(About{.place = {path_.string()}, .advice = "is it a file of this model?"},
                 "tensor '{}' is {} [{}] where {} [{}] is wanted", name, name_of(found.dtype),
                 fmt::join(found.shape, ", "), name_of(dtype), fmt::join(shape, ", "));
  }
  return found;
}

const std::string& SafetensorsFile::require_metadata(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) {
    fail_request(About{.place = {path_.string()}, .advice = "was it written by another program?"},
                 "has no metadata '{}'", key);
  }
  return found->second;
}

}  // namespace orrery
