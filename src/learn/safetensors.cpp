#include "learn/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/atomic_file.h"

namespace orrery {
namespace {

static_assert(std::endian::native == std::endian::little, "the layout is little endian");

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::uint64_t length_bytes = 8;
constexpr std::uint64_t alignment = 8;
// The reference implementation's limit: what is longer would not be read elsewhere.
constexpr std::uint64_t longest_header = 100'000'000;

struct DtypeFacts {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array dtype_table = {
    DtypeFacts{Dtype::f32, "F32", 4}, DtypeFacts{Dtype::f64, "F64", 8},
    DtypeFacts{Dtype::i64, "I64", 8}, DtypeFacts{Dtype::u64, "U64", 8},
    DtypeFacts{Dtype::u8, "U8", 1}};

// The bytes of a shape, or nothing when they cannot be counted in 64 bits.
std::optional<std::uint64_t> bytes_of(Dtype dtype, std::span<const std::uint64_t> shape) {
  std::uint64_t bytes = size_of(dtype);
  for (const std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  }
  return bytes;
}

struct Entry {
  TensorView tensor;  // still without data
  std::vector<std::uint64_t> offsets;
  bool has_dtype = false, has_shape = false, has_offsets = false;
};

// Takes the header's JSON event by event and stops at the first that does not belong, so that no
// hostile nesting or repetition is ever built up in memory.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::vector<Entry> entries;
  Metadata metadata;
  std::string fault;

  bool start_object(std::size_t /*size*/) override {
    if (place_ == Place::start) return go(Place::top);
    if (place_ == Place::entry_value) return go(Place::entry);
    if (place_ == Place::metadata_value) return go(Place::metadata);
    return refuse("an object where none belongs");
  }

  bool key(string_t& name) override {
    if (place_ == Place::top) {
      if (!names_.insert(name).second) return refuse("'{}' occurs twice", name);
      if (name == metadata_key) return go(Place::metadata_value);
      entries.emplace_back().tensor.name = name;
      return go(Place::entry_value);
    }
    if (place_ == Place::metadata) {
      key_ = name;
      if (metadata.contains(name)) return refuse("metadata '{}' occurs twice", name);
      return true;
    }
    Entry& entry = entries.back();
    if (name == "dtype") return field(entry.has_dtype, Place::dtype);
    if (name == "shape") return field(entry.has_shape, Place::shape);
    if (name == "data_offsets") return field(entry.has_offsets, Place::offsets);
    return refuse("tensor '{}' has the unknown field '{}'", entry.tensor.name, name);
  }

  bool string(string_t& text) override {
    if (place_ == Place::metadata) {
      metadata.emplace(std::move(key_), std::move(text));
      return true;
    }
    if (place_ != Place::dtype) return refuse("a text where none belongs");
    for (const DtypeFacts& facts : dtype_table) {
      if (facts.name != text) continue;
      entries.back().tensor.dtype = facts.dtype;
      return go(Place::entry);
    }
    return refuse("tensor '{}' has the unknown type '{}'", entries.back().tensor.name, text);
  }

  bool start_array(std::size_t /*size*/) override {
    if (place_ == Place::shape) return go(Place::shape_values);
    if (place_ == Place::offsets) return go(Place::offset_values);
    return refuse("a list where none belongs");
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ == Place::shape_values) {
      entries.back().tensor.shape.push_back(value);
      return true;
    }
    if (place_ == Place::offset_values && entries.back().offsets.size() < 2) {
      entries.back().offsets.push_back(value);
      return true;
    }
    return refuse("a number where none belongs");
  }

  bool end_array() override { return go(Place::entry); }

  bool end_object() override {
    if (place_ == Place::entry) {
      const Entry& entry = entries.back();
      if (!entry.has_dtype || !entry.has_shape || entry.offsets.size() != 2) {
        return refuse("tensor '{}' lacks its dtype, its shape or two data_offsets",
                      entry.tensor.name);
      }
    }
    return go(place_ == Place::top ? Place::end : Place::top);
  }

  bool null() override { return refuse("a null where none belongs"); }
  bool boolean(bool /*value*/) override { return refuse("a truth value where none belongs"); }
  bool number_integer(number_integer_t /*value*/) override { return refuse("a negative number"); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
    return refuse("a number that is no whole one");
  }
  bool binary(binary_t& /*value*/) override { return refuse("binary data in the header"); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return refuse("bad JSON at byte {} of the header", position);
  }

 private:
  enum class Place {
    start,
    top,
    entry_value,
    entry,
    dtype,
    shape,
    shape_values,
    offsets,
    offset_values,
    metadata_value,
    metadata,
    end
  };

  bool go(Place place) {
    place_ = place;
    return true;
  }

  bool field(bool& had, Place place) {
    if (std::exchange(had, true)) {
      return refuse("tensor '{}' has a field twice", entries.back().tensor.name);
    }
    return go(place);
  }

  template <class... Args>
  bool refuse(fmt::format_string<Args...> format, Args&&... args) {
    fault = fmt::format(format, std::forward<Args>(args)...);
    return false;
  }

  Place place_ = Place::start;
  std::string key_;
  std::unordered_set<std::string> names_;
};

std::string header_of(std::span<const TensorSpec> tensors, const Metadata& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[std::string(metadata_key)] = metadata;
  std::uint64_t offset = 0;
  for (const TensorSpec& tensor : tensors) {
    if (tensor.name == metadata_key || header.contains(tensor.name)) {
      fail_broken("two tensors of one file are called '{}'", tensor.name);
    }
    const std::uint64_t end = offset + bytes_of(tensor.dtype, tensor.shape).value();
    header[tensor.name] = {
        {"dtype", name_of(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((alignment - text.size() % alignment) % alignment, ' ');
  return text;
}

// Sorted by place, every tensor must begin where the one before it ends, and the last with the
// file.
std::string place_tensors(std::vector<Entry>& entries, std::span<const std::byte> data) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.offsets < b.offsets; });
  std::uint64_t expected = 0;
  for (Entry& entry : entries) {
    TensorView& tensor = entry.tensor;
    const std::uint64_t begin = entry.offsets[0], end = entry.offsets[1];
    if (begin > end || end > data.size()) {
      return fmt::format("tensor '{}' lies outside the file", tensor.name);
    }
    if (bytes_of(tensor.dtype, tensor.shape) != end - begin) {
      return fmt::format("tensor '{}' has {} bytes, which is not what its shape says", tensor.name,
                         end - begin);
    }
    if (begin < expected) return fmt::format("tensor '{}' overlaps another", tensor.name);
    if (begin > expected) return fmt::format("a hole before tensor '{}'", tensor.name);
    tensor.data = data.subspan(begin, end - begin);
    expected = end;
  }
  if (expected < data.size()) {
    return fmt::format("{} bytes too many at the end", data.size() - expected);
  }
  return {};
}

}  // namespace

std::string_view name_of(Dtype dtype) { return dtype_table[static_cast<std::size_t>(dtype)].name; }
std::size_t size_of(Dtype dtype) { return dtype_table[static_cast<std::size_t>(dtype)].size; }

void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const Metadata& metadata) {
  std::vector<TensorSpec> specs;
  for (const TensorView& tensor : tensors)
    specs.push_back({tensor.name, tensor.dtype, tensor.shape});
  write_safetensors(path, specs, metadata, [&](std::size_t i) { return tensors[i].data; });
}

void write_safetensors(const std::filesystem::path& path, std::span<const TensorSpec> tensors,
                       const Metadata& metadata, const TensorBytes& bytes) {
  std::string header;
  try {
    header = header_of(tensors, metadata);
  } catch (const nlohmann::json::exception& error) {
    fail_request("{}: cannot be written, a name is not UTF-8 ({}); convert the facts to UTF-8",
                 path.string(), error.what());
  }
  const std::uint64_t length = header.size();
  if (length > longest_header) {
    fail_request(
        "{}: cannot be written, its names take {} bytes and the layout allows {}; "
        "use fewer or shorter names",
        path.string(), length, longest_header);
  }
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto data = bytes(i);
    if (bytes_of(tensors[i].dtype, tensors[i].shape) != data.size()) {
      fail_broken("tensor '{}' has {} bytes, which is not what its shape says", tensors[i].name,
                  data.size());
    }
    file.write(data);
  }
  file.commit();
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path), file_(path) {
  const auto check = [&](bool good, std::string_view reason) {
    if (good) return;
    fail_request(
        "{}: is no valid safetensors file ({}); it may be damaged or cut short: copy it "
        "again or write it anew",
        path_.string(), reason);
  };
  const std::span<const std::byte> bytes = file_.bytes();
  check(bytes.size() >= length_bytes, "shorter than its first 8 bytes");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  check(length <= bytes.size() - length_bytes, "the header is longer than the file");
  check(length <= longest_header, "the header is longer than 100 MB");
  const char* const text = reinterpret_cast<const char*>(bytes.data()) + length_bytes;
  check(length > 0 && text[0] == '{', "the header does not begin with '{'");
  // No JSON holds one, but the parser would take it for the end and believe what follows.
  check(std::memchr(text, 0, length) == nullptr, "a zero byte in the header");

  HeaderReader reader;
  const bool parsed = nlohmann::json::sax_parse(text, text + length, &reader);
  check(parsed, reader.fault);
  const std::string fault = place_tensors(reader.entries, bytes.subspan(length_bytes + length));
  check(fault.empty(), fault);
  for (Entry& entry : reader.entries) tensors_.push_back(std::move(entry.tensor));
  metadata_ = std::move(reader.metadata);
}

const TensorView* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::find_if(tensors_.begin(), tensors_.end(),
                                  [&](const TensorView& tensor) { return tensor.name == name; });
  return found == tensors_.end() ? nullptr : &*found;
}

const TensorView& SafetensorsFile::require(std::string_view name) const {
  const TensorView* found = find(name);
  if (found == nullptr) {
    fail_request("{}: has no tensor '{}'; is it a file of this model?", path_.string(), name);
  }
  return *found;
}

const TensorView& SafetensorsFile::require(std::string_view name, Dtype dtype,
                                           std::span<const std::uint64_t> shape) const {
  const TensorView& found = require(name);
  if (found.dtype != dtype ||
      !std::equal(shape.begin(), shape.end(), found.shape.begin(), found.shape.end())) {
    fail_request("{}: tensor '{}' is {} [{}] where {} [{}] is wanted; is it a file of this model?",
                 path_.string(), name, name_of(found.dtype), fmt::join(found.shape, ", "),
                 name_of(dtype), fmt::join(shape, ", "));
  }
  return found;
}

const std::string& SafetensorsFile::require_metadata(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) {
    fail_request("{}: has no metadata '{}'; was it written by another program?", path_.string(),
                 key);
  }
  return found->second;
}

}  // namespace orrery
