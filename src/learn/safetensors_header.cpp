#include "learn/safetensors_header.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

namespace orrery {
namespace {

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::uint64_t alignment = 8;

struct DtypeFacts {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array dtype_table = {
    DtypeFacts{Dtype::f32, "F32", 4}, DtypeFacts{Dtype::f64, "F64", 8},
    DtypeFacts{Dtype::i64, "I64", 8}, DtypeFacts{Dtype::u64, "U64", 8},
    DtypeFacts{Dtype::u8, "U8", 1}};

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
    return refuse("unexpected object");
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
    if (place_ != Place::dtype) return refuse("unexpected text");
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
    return refuse("unexpected list");
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
    return refuse("unexpected number");
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

  bool null() override { return refuse("unexpected null"); }
  bool boolean(bool /*value*/) override { return refuse("unexpected truth value"); }
  bool number_integer(number_integer_t /*value*/) override { return refuse("a negative number"); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
    return refuse("a number that is not whole");
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

std::optional<std::uint64_t> bytes_of(Dtype dtype, std::span<const std::uint64_t> shape) {
  std::uint64_t bytes = size_of(dtype);
  for (const std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  }
  return bytes;
}

std::string header_text(std::span<const TensorSpec> tensors, const Metadata& metadata) {
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

SafetensorsHeader read_header(std::string_view text, std::span<const std::byte> data) {
  HeaderReader reader;
  SafetensorsHeader header;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &reader)) {
    header.fault = std::move(reader.fault);
    return header;
  }
  header.fault = place_tensors(reader.entries, data);
  for (Entry& entry : reader.entries) header.tensors.push_back(std::move(entry.tensor));
  header.metadata = std::move(reader.metadata);
  return header;
}

}  // namespace orrery
