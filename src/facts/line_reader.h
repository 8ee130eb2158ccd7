// Bytes to lines: streamed in large blocks, each line contiguous in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "facts/byte_source.h"

namespace orrery {

class LineReader {
 public:
  // A longer line is no line of facts, and a file without line ends must not fill the memory.
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  // `name` is what Errors call the source.
  LineReader(std::unique_ptr<ByteSource> source, std::string name);

  // Steps to the next line; false at the end. A byte order mark at the very start is skipped.
  bool next();
  // Lengthens the current text by one more line (a quoted field may hold line ends); false at the
  // end or when the text has grown longer than any line may be.
  bool extend();
  // Shortens the current text to its first line again; what was added is read anew.
  void back_to_first_line();

  // The current line(s) with the line end; valid until the next call of next or extend.
  std::string_view text() const { return {buffer_.data() + begin_, next_ - begin_}; }
  // The number, from 1, of the first line in text().
  std::uint64_t number() const { return number_; }
  const std::string& name() const { return name_; }

 private:
  bool find_line_end();
  bool refill();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, next_ = 0, filled_ = 0;  // text is [begin_, next_)
  std::size_t first_line_size_ = 0;
  std::uint64_t number_ = 0, lines_in_text_ = 0;
  bool source_ended_ = false;
};

// The text without its final "\n" or "\r\n".
std::string_view without_line_end(std::string_view line);

}  // namespace orrery
