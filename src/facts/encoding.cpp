#include "facts/encoding.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

constexpr std::size_t looked_at = std::size_t{64} << 10;

// UTF-16 to UTF-8, block by block.
class Utf16Bytes final : public ByteSource {
 public:
  Utf16Bytes(std::unique_ptr<ByteSource> wide, bool big, std::string name)
      : wide_(std::move(wide)), big_(big), name_(std::move(name)), block_(looked_at) {}

  std::size_t read(std::span<char> into) override {
    while (at_ == text_.size()) {
      if (!convert_block()) return 0;
    }
    const std::size_t size = std::min(into.size(), text_.size() - at_);
    std::copy_n(text_.data() + at_, size, into.data());
    at_ += size;
    return size;
  }

 private:
  // False at the end.
  bool convert_block() {
    text_.clear();
    at_ = 0;
    const std::size_t got = wide_->read(std::span(block_).subspan(left_));
    const std::size_t size = left_ + got;
    if (got == 0) {
      if (left_ != 0 || high_ != 0) fail("it ends in the middle of a character");
      return false;
    }
    std::size_t i = 0;
    for (; i + 1 < size; i += 2) {
      const auto first = static_cast<unsigned char>(block_[i]);
      const auto second = static_cast<unsigned char>(block_[i + 1]);
      take(static_cast<std::uint32_t>(big_ ? first << 8 | second : second << 8 | first));
    }
    left_ = size - i;
    if (left_ == 1) block_[0] = block_[i];
    return true;
  }

  void take(std::uint32_t unit) {
    const bool low = unit >= 0xDC00 && unit < 0xE000;
    if (low != (high_ != 0)) fail("half of a surrogate pair stands alone");
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_ = unit;
      return;
    }
    append(low ? 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00) : unit);
    high_ = 0;
  }

  void append(std::uint32_t point) {
    const auto put = [this](std::uint32_t byte) { text_.push_back(static_cast<char>(byte)); };
    if (point < 0x80) return put(point);
    if (point < 0x800) {
      put(0xC0 | point >> 6);
    } else {
      if (point < 0x10000) {
        put(0xE0 | point >> 12);
      } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3F));
      }
      put(0x80 | (point >> 6 & 0x3F));
    }
    put(0x80 | (point & 0x3F));
  }

  [[noreturn]] void fail(std::string_view why) const {
    fail_request(About{.place = {name_}, .advice = "save the file as UTF-8"},
                 "the UTF-16 text is damaged ({})", why);
  }

  std::unique_ptr<ByteSource> wide_;
  bool big_;
  std::string name_;
  std::vector<char> block_;
  std::size_t left_ = 0;  // bytes of the last block that are still to be converted: 0 or 1
  std::uint32_t high_ = 0;
  std::string text_;
  std::size_t at_ = 0;
};

std::string converted_by_iconv(std::string_view from, const std::string& name) {
  return fmt::format("convert it: iconv -f {} -t UTF-8 {} > utf8-text", from, in_shell(name));
}

void refuse_unmarked_wide(std::string_view head, const std::string& name) {
  const auto is_zero = [&head](std::size_t i) { return head[i] == '\0'; };
  if (head.size() < 4 || is_zero(0) == is_zero(1) || is_zero(0) != is_zero(2) ||
      is_zero(1) != is_zero(3))
    return;
  fail_request(About{.place = {name},
                     .advice = converted_by_iconv(is_zero(1) ? "UTF-16LE" : "UTF-16BE", name)},
               "looks like UTF-16 without a byte order mark");
}

bool is_letter(std::string_view text, std::size_t i) {
  return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
}

// The first byte that is no UTF-8 is a letter of Windows-1252 beside another letter, and nothing
// before it needed UTF-8. A stray byte elsewhere is a bad line, and no other encoding.
void refuse_windows_1252(std::string_view head, const std::string& name) {
  const auto wide = std::find_if(head.begin(), head.end(),
                                 [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  const auto at = static_cast<std::size_t>(wide - head.begin());
  // A character may be cut in two by the end of what is looked at.
  if (at + 4 > head.size() && head.size() == looked_at) return;
  std::size_t length = 1;
  while (length < 4 && at + length < head.size() &&
         (static_cast<unsigned char>(head[at + length]) & 0xC0) == 0x80)
    ++length;
  if (wide == head.end() || is_utf8(head.substr(at, length))) return;
  const auto byte = static_cast<unsigned char>(*wide);
  const bool beside_letter = is_letter(head, at + 1) || (at > 0 && is_letter(head, at - 1));
  if (byte < 0xC0 || byte == 0xFF || !beside_letter) return;
  const auto line = 1 + static_cast<std::uint64_t>(std::count(head.begin(), wide, '\n'));
  std::size_t begin = at, end = at + 1;
  while (begin > 0 && is_letter(head, begin - 1)) --begin;
  while (is_letter(head, end)) ++end;
  fail_request(About{.place = {name, line}, .advice = converted_by_iconv("WINDOWS-1252", name)},
               "{} is not UTF-8; the file looks like Windows-1252 (Latin-1)",
               shown(head.substr(begin, end - begin)));
}

}  // namespace

std::string_view name_of(Encoding encoding) {
  if (encoding == Encoding::utf8) return "UTF-8";
  return encoding == Encoding::utf16_little ? "UTF-16LE" : "UTF-16BE";
}

Utf8Text as_utf8(std::unique_ptr<HeadBytes> bytes, const std::string& name) {
  using namespace std::string_view_literals;
  const std::string_view head = bytes->head(looked_at);
  if (head.starts_with("\xFF\xFE\0\0"sv) || head.starts_with("\0\0\xFE\xFF"sv))
    fail_request(About{.place = {name}, .advice = converted_by_iconv("UTF-32", name)},
                 "is UTF-32, which is not read");
  const bool little = head.starts_with("\xFF\xFE"), big = head.starts_with("\xFE\xFF");
  if (little || big) {
    bytes->skip(2);
    auto text = std::make_unique<Utf16Bytes>(std::move(bytes), big, name);
    return {std::make_unique<HeadBytes>(std::move(text)),
            big ? Encoding::utf16_big : Encoding::utf16_little};
  }
  if (head.starts_with("\xEF\xBB\xBF")) {
    bytes->skip(3);
    return {std::move(bytes), Encoding::utf8};
  }
  refuse_unmarked_wide(head, name);
  refuse_windows_1252(head, name);
  return {std::move(bytes), Encoding::utf8};
}

std::string in_shell(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("._-/").find(c) != std::string_view::npos;
  });
  if (plain && !name.empty()) return name;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace orrery
