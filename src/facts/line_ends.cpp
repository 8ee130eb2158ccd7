#include "facts/line_ends.h"

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

class LineFeeds final : public ByteSource {
 public:
  explicit LineFeeds(std::unique_ptr<ByteSource> text) : text_(std::move(text)) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t size = text_->read(into);
    std::ranges::replace(into.first(size), '\r', '\n');
    return size;
  }

 private:
  std::unique_ptr<ByteSource> text_;
};

}  // namespace

std::unique_ptr<HeadBytes> with_line_feeds(std::unique_ptr<HeadBytes> text) {
  constexpr std::size_t looked_at = std::size_t{64} << 10;
  const std::string_view head = text->head(looked_at);
  const bool by_cr =
      head.find('\n') == std::string_view::npos && head.find('\r') != std::string_view::npos;
  if (!by_cr) return text;
  return std::make_unique<HeadBytes>(std::make_unique<LineFeeds>(std::move(text)));
}

}  // namespace orrery
