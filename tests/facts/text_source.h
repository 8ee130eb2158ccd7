// A ByteSource over a text, handing out a few bytes at a time.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "facts/byte_source.h"

namespace orrery::testing {

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string text, std::size_t at_once = 1 << 16)
      : text_(std::move(text)), at_once_(at_once) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t size = std::min({into.size(), at_once_, text_.size() - at_});
    std::copy_n(text_.data() + at_, size, into.data());
    at_ += size;
    return size;
  }

 private:
  std::string text_;
  std::size_t at_once_, at_ = 0;
};

}  // namespace orrery::testing
