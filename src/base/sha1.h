// SHA-1 (FIPS 180-4); only for git's object names, never for trust.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/sha_blocks.h"

namespace orrery {

class Sha1 {
 public:
  Sha1();
  void update(std::span<const std::byte> bytes) { blocks_.update(bytes); }
  void update(std::string_view text) { blocks_.update(std::as_bytes(std::span(text))); }
  // The digest of all bytes so far, in small letters; more may follow.
  std::string hex_digest() const { return blocks_.hex_digest(); }

 private:
  ShaBlocks<5> blocks_;
};

}  // namespace orrery
