// SHA-256 (FIPS 180-4).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/sha_blocks.h"

namespace orrery {

class Sha256 {
 public:
  Sha256();
  void update(std::span<const std::byte> bytes) { blocks_.update(bytes); }
  void update(std::string_view text) { blocks_.update(std::as_bytes(std::span(text))); }
  // The digest of all bytes so far, in small letters; more may follow.
  std::string hex_digest() const { return blocks_.hex_digest(); }

 private:
  ShaBlocks<8> blocks_;
};

}  // namespace orrery
