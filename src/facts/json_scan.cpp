#include "facts/json_scan.h"

#include <algorithm>

namespace orrery {
namespace {

// Steps through the text of an object or array; anything unexpected ends the walk.
class Walk {
 public:
  explicit Walk(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  // The next byte that is no space, or 0 at the end.
  char peek() {
    while (at_ < text_.size() && is_json_space(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  // The text of the next value; empty if there is none.
  std::string_view value() {
    peek();
    const std::string_view rest = text_.substr(at_);
    const std::size_t size = JsonValueEnd().find(rest);
    if (size == JsonValueEnd::not_yet) return {};
    at_ += size;
    return rest.substr(0, size);
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

std::size_t objects_in(std::string_view array) {
  Walk walk(array, 1);
  std::size_t count = 0;
  while (walk.peek() == '{') {
    if (walk.value().empty()) break;
    ++count;
    if (!walk.take(',')) break;
  }
  return count;
}

void collect(std::string_view whole, std::size_t object_at, int levels_down,
             std::vector<JsonArray>& found) {
  Walk walk(whole, object_at);
  if (!walk.take('{')) return;
  while (walk.peek() == '"') {
    std::string_view key = walk.value();
    if (key.size() < 2 || !walk.take(':')) return;
    key = key.substr(1, key.size() - 2);
    const char kind = walk.peek();
    const std::size_t begin = walk.at();
    const std::string_view value = walk.value();
    if (value.empty()) return;
    if (kind == '[') {
      const std::size_t elements = objects_in(value);
      if (elements > 0) found.push_back({key, begin + 1, begin + value.size() - 1, elements});
    } else if (kind == '{' && levels_down > 0) {
      collect(whole, begin, levels_down - 1, found);
    }
    if (!walk.take(',')) return;
  }
}

}  // namespace

std::size_t JsonValueEnd::find(std::string_view text) {
  for (; at_ < text.size(); ++at_) {
    const char c = text[at_];
    if (in_string_) {
      if (c == '\\') {
        if (at_ + 1 == text.size()) return not_yet;
        ++at_;
      } else if (c == '"') {
        in_string_ = false;
        if (depth_ == 0) return at_ + 1;
      }
      continue;
    }
    switch (c) {
      case '"':
        if (depth_ == 0 && at_ > 0) return at_;
        in_string_ = true;
        break;
      case '{':
      case '[':
        if (depth_ == 0 && at_ > 0) return at_;
        ++depth_;
        break;
      case '}':
      case ']':
        if (depth_ == 0) return at_;
        if (--depth_ == 0) return at_ + 1;
        break;
      case ',':
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        if (depth_ == 0) return at_;
        break;
      default:
        break;
    }
  }
  return not_yet;
}

std::vector<std::string_view> keys_of_first(std::string_view objects) {
  std::vector<std::string_view> keys;
  Walk walk(objects);
  if (!walk.take('{')) return keys;
  while (walk.peek() == '"') {
    keys.push_back(walk.value());
    if (!walk.take(':') || walk.value().empty() || !walk.take(',')) break;
  }
  std::ranges::sort(keys);
  return keys;
}

std::vector<JsonArray> arrays_of_objects(std::string_view object) {
  std::vector<JsonArray> found;
  collect(object, 0, 1, found);
  return found;
}

}  // namespace orrery
