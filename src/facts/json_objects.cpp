#include "facts/json_objects.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

constexpr std::size_t first_block = std::size_t{256} << 10;

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && is_json_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_json_space(text.back())) text.remove_suffix(1);
  return text;
}

bool names_edges(std::string_view key) {
  constexpr std::array<std::string_view, 7> names = {
      "edges", "facts", "relationships", "relations", "triples", "statements", "links"};
  return std::find(names.begin(), names.end(), key) != names.end();
}

}  // namespace

JsonObjects::JsonObjects(std::unique_ptr<ByteSource> source, std::string name, Inside inside)
    : source_(std::move(source)), name_(std::move(name)), buffer_(first_block + padding) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  while (filled_ < byte_order_mark.size() && refill()) {
  }
  if (std::string_view(buffer_.data(), filled_).starts_with(byte_order_mark)) {
    begin_ = byte_order_mark.size();
  }
  if (!at_text()) return;
  const char first = buffer_[begin_];
  if (first != '{' && first != '[') {
    const std::string_view start(buffer_.data() + begin_,
                                 std::min<std::size_t>(filled_ - begin_, 20));
    fail_request(
        About{.place = {name_, line_},
              .advice = "a JSON file of facts begins with { or [, a table is named .csv or .tsv"},
        "this is not JSON: it begins with {}", shown(start));
  }
  if (first == '{') find_form(inside);
}

bool JsonObjects::next() {
  skip(size_);
  if (!(by_lines_ ? next_line() : next_value())) return false;
  ++count_;
  return true;
}

// The file begins with an object. Is it one of many, and if so, does each have its line?
void JsonObjects::find_form(Inside inside) {
  const std::size_t first_line_end = line_end(0);
  by_lines_ = is_lines(first_line_end);
  if (by_lines_) return;
  const std::size_t size = value_end(largest_whole);
  if (cut_off_) {
    cut_off_ = false;
    return;
  }
  std::size_t after = size;
  do {
    while (begin_ + after < filled_ && is_json_space(buffer_[begin_ + after])) ++after;
  } while (begin_ + after == filled_ && refill());
  if (begin_ + after < filled_) {
    // One object a line is told from a whole that one line holds by what follows it.
    by_lines_ = size <= first_line_end && after > first_line_end;
    return;
  }
  if (inside == Inside::search) {
    enter(arrays_of_objects({buffer_.data() + begin_, size}));
  }
}

// A first line that is cut off is a bad line of JSON lines if the next line begins an object: in an
// object written over many lines a key would stand there.
bool JsonObjects::is_lines(std::size_t first_line_end) {
  const auto line = without_spaces({buffer_.data() + begin_, first_line_end});
  JsonValueEnd end;
  if (end.find(line) != JsonValueEnd::not_yet) return false;
  if (line.size() < 2 || line.find_last_of(":[,") == line.size() - 1) return false;
  std::size_t after = first_line_end;
  do {
    while (begin_ + after < filled_ && is_json_space(buffer_[begin_ + after])) ++after;
  } while (begin_ + after == filled_ && refill());
  return begin_ + after < filled_ && buffer_[begin_ + after] == '{';
}

// Goes on inside the array of facts, as if the file were that array alone.
void JsonObjects::enter(std::vector<JsonArray> arrays) {
  const auto nodes = std::find_if(arrays.begin(), arrays.end(),
                                  [](const JsonArray& array) { return array.key == "nodes"; });
  const bool has_edges = std::any_of(arrays.begin(), arrays.end(),
                                     [](const JsonArray& array) { return names_edges(array.key); });
  const JsonArray* largest = nullptr;
  for (const JsonArray& array : arrays) {
    if (has_edges && !names_edges(array.key)) continue;
    if (largest == nullptr || array.elements > largest->elements) largest = &array;
  }
  if (largest == nullptr) return;
  for (const JsonArray& array : arrays) {
    if (&array != largest && (!has_edges || names_edges(array.key)))
      refuse_two_lists(*largest, array);
  }
  if (has_edges && nodes != arrays.end()) {
    const char* bracket = buffer_.data() + begin_ + nodes->begin - 1;
    nodes_.assign(bracket, nodes->end - nodes->begin + 2);
  }
  const std::size_t end = begin_ + largest->end;
  skip(largest->begin);
  filled_ = end;
  in_array_ = inside_object_ = source_ended_ = true;
}

// Pages of a service, or a list a year: one of them would be left out.
void JsonObjects::refuse_two_lists(const JsonArray& one, const JsonArray& other) const {
  const auto keys_of = [this](const JsonArray& array) {
    return keys_of_first({buffer_.data() + begin_ + array.begin, array.end - array.begin});
  };
  if (one.key != other.key && keys_of(one) != keys_of(other)) return;
  fail_request(About{.place = {name_, line_},
                     .advice = "write all facts as one array, or as JSON lines, one object a line"},
               "holds several arrays of objects of the same kind, such as {} and {}",
               shown(one.key), shown(other.key));
}

bool JsonObjects::next_line() {
  while (at_text()) {
    const std::size_t end = line_end(0);
    size_ = without_spaces({buffer_.data() + begin_, end}).size();
    // Pieces of a large array keep its commas and brackets.
    if (size_ > 1 && buffer_[begin_ + size_ - 1] == ',') --size_;
    if (size_ == 1 && std::strchr("[],", buffer_[begin_]) != nullptr) {
      skip(end);
      continue;
    }
    return true;
  }
  size_ = 0;
  return false;
}

bool JsonObjects::next_value() {
  size_ = 0;
  while (at_text()) {
    const char c = buffer_[begin_];
    if (c == ',' || (c == '[' && !in_array_) || (c == ']' && in_array_)) {
      if (c != ',') in_array_ = c == '[';
      skip(1);
      continue;
    }
    size_ = std::max<std::size_t>(value_end(largest_value), 1);
    return true;
  }
  return false;
}

bool JsonObjects::at_text() {
  do {
    std::size_t spaces = 0;
    while (begin_ + spaces < filled_ && is_json_space(buffer_[begin_ + spaces])) ++spaces;
    skip(spaces);
  } while (begin_ == filled_ && refill());
  return begin_ < filled_;
}

// Offset from begin_ of the line end, or of the end of the file.
std::size_t JsonObjects::line_end(std::size_t from) {
  while (true) {
    const char* start = buffer_.data() + begin_;
    const std::size_t left = filled_ - begin_;
    const void* found = left > from ? std::memchr(start + from, '\n', left - from) : nullptr;
    if (found != nullptr) {
      return static_cast<std::size_t>(static_cast<const char*>(found) - start);
    }
    from = left;
    if (left > largest_whole) {
      fail_request(About{.place = {name_, line_}}, "the line is longer than {} bytes",
                   largest_whole);
    }
    if (!refill()) return left;
  }
}

// The size of the value at begin_, or what is left of the file if it has no end.
std::size_t JsonObjects::value_end(std::size_t largest) {
  JsonValueEnd end;
  while (true) {
    const std::size_t size = end.find({buffer_.data() + begin_, filled_ - begin_});
    if (size != JsonValueEnd::not_yet) return size;
    if (filled_ - begin_ > largest) {
      fail_request(About{.place = {name_, line_},
                         .advice = "write the facts as JSON lines, one object a line"},
                   "one JSON value is larger than {} MiB", largest >> 20);
    }
    if (!refill()) {
      cut_off_ = true;
      return filled_ - begin_;
    }
  }
}

// Moves what is not yet read to the front and reads behind it; false at the end of the source.
bool JsonObjects::refill() {
  if (source_ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    begin_ = 0;
  }
  if (filled_ + padding == buffer_.size()) buffer_.resize(2 * filled_ + padding);
  const std::size_t got =
      source_->read({buffer_.data() + filled_, buffer_.size() - padding - filled_});
  source_ended_ = got == 0;
  filled_ += got;
  return !source_ended_;
}

void JsonObjects::skip(std::size_t bytes) {
  const char* start = buffer_.data() + begin_;
  line_ += static_cast<std::uint64_t>(std::count(start, start + bytes, '\n'));
  begin_ += bytes;
}

}  // namespace orrery
