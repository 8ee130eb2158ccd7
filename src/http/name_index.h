// Names as they are typed: found by their beginning, by the beginning of a word, or within.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

class NameIndex {
 public:
  // The names must outlive it.
  explicit NameIndex(std::span<const std::string> names);

  // The name itself, or the first that differs in case and accents alone; null: there is none.
  const std::string* exact(std::string_view name) const;

  struct Found {
    std::vector<std::string_view> names;
    bool more = false;  // there are others
  };
  // At most `most`, best first: the name itself, names that begin with `typed`, names with a word
  // that does, names that hold it; each in their own order. Case and accents make no difference.
  Found find(std::string_view typed, std::size_t most) const;

 private:
  std::string_view folded_name(std::size_t i) const;

  std::span<const std::string> names_;
  std::string folded_;             // of all names, one after the other
  std::vector<std::size_t> ends_;  // of each in it
};

}  // namespace orrery
