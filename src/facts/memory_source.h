// A text that is already in memory, as a ByteSource.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "facts/byte_source.h"

namespace orrery {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string text) : text_(std::move(text)) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t size = std::min(into.size(), text_.size() - at_);
    std::copy_n(text_.data() + at_, size, into.data());
    at_ += size;
    return size;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace orrery
