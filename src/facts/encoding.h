// Text as UTF-8, whatever it was written in; what cannot be told is refused with the way out.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "facts/byte_source.h"

namespace orrery {

enum class Encoding { utf8, utf16_little, utf16_big };
std::string_view name_of(Encoding encoding);  // "UTF-8", "UTF-16LE", "UTF-16BE"

struct Utf8Text {
  std::unique_ptr<HeadBytes> bytes;
  Encoding encoding = Encoding::utf8;  // what it was
};
// A byte order mark tells UTF-16, which is converted, and is left out. UTF-16 without one, UTF-32
// and what looks like Windows-1252 at the beginning are request Errors that name the encoding.
Utf8Text as_utf8(std::unique_ptr<HeadBytes> bytes, const std::string& name);

// A file's name as a shell takes it.
std::string in_shell(const std::string& name);

}  // namespace orrery
