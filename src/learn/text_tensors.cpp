#include "learn/text_tensors.h"

#include <limits>
#include <numeric>
#include <string_view>

#include "base/error.h"
#include "facts/utf8.h"
#include "learn/checkpoint.h"

namespace orrery {

std::string ends_name(const std::string& name) { return name + "_ends"; }

TextTensors text_tensors(const std::string& name, std::span<const std::string> texts,
                         const std::filesystem::path& path) {
  std::uint64_t bytes = 0;
  for (const std::string& text : texts) {
    if (!is_utf8(text))
      fail_request(About{.place = {path.string()}, .advice = "convert the facts to UTF-8"},
                   "cannot be written, {} is not UTF-8", shown(text));
    bytes += text.size();
  }
  return {{name, Dtype::u8, {bytes}}, {ends_name(name), Dtype::i64, {texts.size()}}};
}

std::vector<std::int64_t> ends_of(std::span<const std::string> texts) {
  std::vector<std::int64_t> ends;
  ends.reserve(texts.size());
  std::int64_t end = 0;
  for (const std::string& text : texts)
    ends.push_back(end += static_cast<std::int64_t>(text.size()));
  return ends;
}

std::string joined(std::span<const std::string> texts) {
  std::string bytes;
  bytes.reserve(
      std::accumulate(texts.begin(), texts.end(), std::size_t{0},
                      [](std::size_t sum, const auto& text) { return sum + text.size(); }));
  for (const std::string& text : texts) bytes += text;
  return bytes;
}

std::vector<std::string> read_texts(const SafetensorsFile& file, const std::string& name) {
  const TensorView &bytes = file.require(name), &ends = file.require(ends_name(name));
  const auto check = [&](bool good, std::string_view reason) {
    if (!good) fail_damaged(file, fmt::format("its {} are not as written ({})", name, reason));
  };
  check(bytes.dtype == Dtype::u8 && ends.dtype == Dtype::i64 && ends.shape.size() == 1,
        "of another type");
  const std::uint64_t count = ends.values();
  check(count <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()), "too many");
  const std::string_view all(reinterpret_cast<const char*>(bytes.data.data()), bytes.data.size());
  std::vector<std::string> texts;
  texts.reserve(count);
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t end = 0;  // a negative one is beyond the bytes
    std::memcpy(&end, ends.data.data() + i * sizeof(end), sizeof(end));
    check(begin <= end && end <= all.size(), "they end where they cannot");
    const std::string_view text = all.substr(begin, end - begin);
    check(is_utf8(text), "not UTF-8");
    texts.emplace_back(text);
    begin = end;
  }
  check(begin == all.size(), "more bytes than they say");
  return texts;
}

}  // namespace orrery
