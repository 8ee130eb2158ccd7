// Names that may well mean the same thing: "Acme Inc", "ACME Inc." and "Amce Inc".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

struct SimilarNames {
  std::uint64_t pairs = 0;
  struct Pair {
    std::int32_t one, other;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };
  std::vector<Pair> first;  // at most `most`, one < other, by positions in the list
};

// Names that are the same but for ASCII case, spaces and punctuation; and names of equally many
// words that differ in one of them, a word of five letters and more, by one letter too many, too
// few, wrong or by two neighbours exchanged. Digits make a difference: "room 101" is not "room
// 102". Of several such names each is paired with the one before it. Names grow the work by their
// length, not by each other: a million take a few seconds.
SimilarNames find_similar_names(const std::vector<std::string>& names, std::size_t most);

}  // namespace orrery
