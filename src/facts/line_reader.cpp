#include "facts/line_reader.h"

#include <cstring>
#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

// Small files take a small buffer; it doubles while reads keep filling it.
constexpr std::size_t first_block = std::size_t{64} << 10;
constexpr std::size_t largest_block = std::size_t{4} << 20;
static_assert(largest_block > LineReader::longest_line);

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(first_block) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  while (filled_ < byte_order_mark.size() && refill()) {
  }
  if (std::string_view(buffer_.data(), filled_).substr(0, 3) == byte_order_mark) {
    begin_ = next_ = byte_order_mark.size();
  }
}

bool LineReader::next() {
  number_ += lines_in_text_;
  if (number_ == 0) number_ = 1;
  begin_ = next_;
  lines_in_text_ = 0;
  const bool found = find_line_end();
  if (!found && next_ < filled_) {
    fail_request(About{.place = {name_, number_}, .advice = "is this a file of facts, one a line?"},
                 "the line is longer than {} bytes", longest_line);
  }
  first_line_size_ = next_ - begin_;
  return found;
}

bool LineReader::extend() { return next_ - begin_ <= longest_line && find_line_end(); }

void LineReader::back_to_first_line() {
  next_ = begin_ + first_line_size_;
  lines_in_text_ = 1;
}

bool LineReader::find_line_end() {
  std::size_t searched = next_ - begin_;
  while (true) {
    const char* from = buffer_.data() + begin_ + searched;
    const std::size_t left = filled_ - begin_ - searched;
    const void* end = left > 0 ? std::memchr(from, '\n', left) : nullptr;
    if (end != nullptr) {
      next_ = static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data()) + 1;
      break;
    }
    searched += left;
    if (searched > longest_line) return false;
    if (refill()) continue;
    if (next_ == filled_) return false;
    next_ = filled_;
    break;
  }
  ++lines_in_text_;
  return true;
}

// Moves the unfinished text to the front and reads behind it; false at the end of the source.
bool LineReader::refill() {
  if (source_ended_) return false;
  const bool was_full = filled_ == buffer_.size();
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    next_ -= begin_;
    begin_ = 0;
  }
  if (was_full && buffer_.size() < largest_block) buffer_.resize(2 * buffer_.size());
  const std::size_t got = source_->read({buffer_.data() + filled_, buffer_.size() - filled_});
  source_ended_ = got == 0;
  filled_ += got;
  return !source_ended_;
}

std::string_view without_line_end(std::string_view line) {
  if (!line.ends_with('\n')) return line;
  line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace orrery
