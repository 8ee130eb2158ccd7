// Where JSON values begin and end, found without parsing them: files are cut into objects by it,
// and each object is then parsed (and checked) alone.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace orrery {

inline bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Finds the end of one value, also when its bytes come in pieces.
class JsonValueEnd {
 public:
  static constexpr std::size_t not_yet = static_cast<std::size_t>(-1);
  // `text` begins with the value. The place after the value, or not_yet: call again with the same
  // text made longer.
  std::size_t find(std::string_view text);

 private:
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool in_string_ = false;
};

// An array of objects inside an object: [begin, end) is what stands between its brackets.
struct JsonArray {
  std::string_view key;
  std::size_t begin = 0, end = 0;
  std::size_t elements = 0;
};

// Those among the values of `object` and of the objects one level down.
std::vector<JsonArray> arrays_of_objects(std::string_view object);
// The keys of the first object, in the order of the alphabet.
std::vector<std::string_view> keys_of_first(std::string_view objects);

}  // namespace orrery
