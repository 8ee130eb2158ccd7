// Bytes to the texts of JSON values, one at a time: JSON lines, arrays, objects one after the
// other, or the largest array of objects inside one object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "facts/byte_source.h"
#include "facts/json_scan.h"

namespace orrery {

class JsonObjects {
 public:
  // So many bytes may be read behind text(): the parser reads in large steps.
  static constexpr std::size_t padding = 64;
  // A larger value is no fact; an object that holds all facts must fit into memory, and into this.
  static constexpr std::size_t largest_value = std::size_t{256} << 20;
  static constexpr std::size_t largest_whole = std::size_t{1} << 30;

  enum class Inside { search, leave };  // of a file that is one object: look for an array in it?

  JsonObjects(std::unique_ptr<ByteSource> source, std::string name, Inside inside);

  // Steps to the next value; false at the end.
  bool next();
  // Valid until the next call; whatever stands there, an object or not.
  std::string_view text() const { return {buffer_.data() + begin_, size_}; }
  // Of the first byte of text().
  std::uint64_t line() const { return line_; }
  // What a record is called by: its line in JSON lines, else its number.
  std::uint64_t number() const { return by_lines_ ? line_ : count_; }
  bool by_lines() const { return by_lines_; }
  // The last value is cut off by the end of the file.
  bool cut_off() const { return cut_off_; }
  // At the end: what is missing is the end of the array.
  bool array_is_open() const { return in_array_ && !inside_object_ && !cut_off_; }

  // The array of nodes that stood beside the array of edges, as JSON; empty if there was none.
  const std::string& nodes() const { return nodes_; }
  const std::string& name() const { return name_; }

 private:
  void find_form(Inside inside);
  bool is_lines(std::size_t first_line_end);
  void enter(std::vector<JsonArray> arrays);
  void refuse_two_lists(const JsonArray& one, const JsonArray& other) const;
  bool next_line();
  bool next_value();
  // Skips spaces; false at the end of the file.
  bool at_text();
  std::size_t line_end(std::size_t from);
  std::size_t value_end(std::size_t largest);
  bool refill();
  void skip(std::size_t bytes);

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, size_ = 0, filled_ = 0;  // the value is [begin_, begin_ + size_)
  std::uint64_t line_ = 1, count_ = 0;
  std::string nodes_;
  bool source_ended_ = false, by_lines_ = false, cut_off_ = false;
  bool in_array_ = false, inside_object_ = false;  // of an object that holds all facts
};

}  // namespace orrery
