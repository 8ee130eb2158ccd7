#include "arrow_texts.h"

#include <nanobind/nanobind.h>

#include <cstring>

namespace orrery::python {
namespace {

namespace nb = nanobind;

[[noreturn]] void refuse(const std::string& title, const char* what) {
  throw nb::value_error(("the Arrow column '" + title + "' " + what).c_str());
}

// Texts one after the other, and where each begins and ends.
template <class Offset>
void each_plain(const ArrowArray& array, const std::string& title,
                const std::function<void(std::string_view)>& add) {
  if (array.n_buffers != 3) refuse(title, "has not the three buffers of texts");
  const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
  const auto* bytes = static_cast<const char*>(array.buffers[2]);
  if (array.length > 0 && offsets == nullptr) refuse(title, "has no offsets");
  for (std::int64_t i = 0; i < array.length; ++i) {
    const Offset begin = offsets[array.offset + i], end = offsets[array.offset + i + 1];
    if (begin < 0 || end < begin || (end > begin && bytes == nullptr))
      refuse(title, "has offsets that run backwards");
    add(has_value(array, i) ? std::string_view(bytes + begin, static_cast<std::size_t>(end - begin))
                            : std::string_view());
  }
}

struct TextView {
  std::int32_t size;
  char start[4];  // short texts go on in what follows
  std::int32_t buffer, offset;
};
static_assert(sizeof(TextView) == 16);

// Sixteen bytes a text: short ones stand in them, long ones in one of several buffers, whose sizes
// are the last buffer.
void each_view(const ArrowArray& array, const std::string& title,
               const std::function<void(std::string_view)>& add) {
  constexpr std::int32_t longest_inside = 12;
  if (array.n_buffers < 3) refuse(title, "lacks buffers of texts");
  const auto* views = static_cast<const TextView*>(array.buffers[1]);
  const auto* sizes = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
  const std::int64_t data_buffers = array.n_buffers - 3;
  if (array.length > 0 && views == nullptr) refuse(title, "has no texts");
  for (std::int64_t i = 0; i < array.length; ++i) {
    if (!has_value(array, i)) {
      add({});
      continue;
    }
    const TextView& view = views[array.offset + i];
    if (view.size < 0) refuse(title, "has a text of negative length");
    const auto size = static_cast<std::size_t>(view.size);
    if (view.size <= longest_inside) {
      add({view.start, size});
      continue;
    }
    const std::int64_t end = static_cast<std::int64_t>(view.offset) + view.size;
    if (view.buffer < 0 || view.buffer >= data_buffers || view.offset < 0 ||
        end > sizes[view.buffer])
      refuse(title, "has a text outside of its buffers");
    add({static_cast<const char*>(array.buffers[2 + view.buffer]) + view.offset, size});
  }
}

}  // namespace

bool holds_texts(std::string_view format) {
  return format == "u" || format == "U" || format == "vu";
}

bool has_value(const ArrowArray& array, std::int64_t i) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return true;
  const auto at = static_cast<std::uint64_t>(array.offset + i);
  return (static_cast<const std::uint8_t*>(array.buffers[0])[at / 8] >> (at % 8) & 1) != 0;
}

void each_text(const ArrowArray& array, std::string_view format, const std::string& title,
               const std::function<void(std::string_view)>& add) {
  if (format == "u")
    each_plain<std::int32_t>(array, title, add);
  else if (format == "U")
    each_plain<std::int64_t>(array, title, add);
  else
    each_view(array, title, add);
}

}  // namespace orrery::python
