// Distinct texts numbered in the order they are first met: the hot loop of reading facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace orrery {

// An open-addressing hash table over one arena of bytes: no allocation a name.
class NameTable {
 public:
  static constexpr std::int32_t absent = -1;

  NameTable();

  std::int32_t size() const { return static_cast<std::int32_t>(ends_.size()); }
  // Valid until the next add.
  std::string_view name(std::int32_t id) const {
    const auto i = static_cast<std::size_t>(id);
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {arena_.data() + begin, static_cast<std::size_t>(ends_[i] - begin)};
  }

  std::int32_t find(std::string_view name) const;
  // `name` must be absent.
  std::int32_t add(std::string_view name);

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t id = absent;
  };
  std::size_t slot_of(std::string_view name, std::uint64_t hash) const;
  void grow();

  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
  std::vector<char> arena_;
  std::vector<std::uint64_t> ends_;  // where each name ends in the arena
};

}  // namespace orrery
