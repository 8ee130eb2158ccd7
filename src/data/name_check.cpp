#include "data/name_check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

namespace orrery {
namespace {

constexpr std::size_t shortest_folded = 4;  // "C", "C++" and "C#" are three languages
constexpr std::size_t shortest_word = 5;    // characters of a word that may be misspelt
constexpr std::size_t longest_name = 200;   // bytes; what is longer is a text
constexpr std::size_t longest_folded = 2 * longest_name;
constexpr std::size_t most_slots = std::size_t{1} << 31U;  // of keys, two bits each
constexpr std::size_t looked_back = 4;                     // at so many names of the same key

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Without case, spaces and punctuation; but 1.5 is not 15.
std::string folded(std::string_view name) {
  std::string text;
  bool parted = false;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      parted = true;
      continue;
    }
    if (parted && is_digit(c) && !text.empty() && is_digit(text.back())) text += '.';
    text += lower(c);
    parted = false;
  }
  return text;
}

std::size_t characters_in(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (is_letter(c) || is_digit(c))
      words.back() += lower(c);
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::vector<std::string_view> characters_of_word(std::string_view word) {
  std::vector<std::string_view> characters;
  for (std::size_t begin = 0, end = 0; begin < word.size(); begin = end) {
    end = begin + 1;
    while (end < word.size() && continues(word[end])) ++end;
    characters.push_back(word.substr(begin, end - begin));
  }
  return characters;
}

// One letter too many, too few, wrong, or two neighbours exchanged.
bool one_slip_apart(std::string_view one, std::string_view other) {
  auto a = characters_of_word(one), b = characters_of_word(other);
  if (std::min(a.size(), b.size()) < shortest_word) return false;
  if (std::ranges::any_of(one, is_digit) || std::ranges::any_of(other, is_digit)) return false;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  const auto [at, bt] = std::ranges::mismatch(a, b);
  const auto same_from = [&](auto x, auto y) { return std::ranges::equal(x, a.end(), y, b.end()); };
  if (a.size() < b.size()) return same_from(at, bt + 1);
  if (at == a.end()) return false;
  if (same_from(at + 1, bt + 1)) return true;
  return a.end() - at > 1 && at[0] == bt[1] && at[1] == bt[0] && same_from(at + 2, bt + 2);
}

bool differ_in_one_word(std::string_view one, std::string_view other) {
  const auto a = words_of(one), b = words_of(other);
  if (a.size() != b.size()) return false;
  const std::string *left = nullptr, *right = nullptr;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (left != nullptr) return false;
    left = &a[i];
    right = &b[i];
  }
  return left != nullptr && one_slip_apart(*left, *right);
}

struct Key {
  std::uint64_t hash;
  std::int32_t name;
  friend auto operator<=>(const Key&, const Key&) = default;
};

// A polynomial hash, so that a text less one character is hashed from what stands on both sides of
// it. What it mixes up is compared in full afterwards.
class FoldedHash {
 public:
  void take(std::string_view text) {
    size_ = text.size();
    for (std::size_t i = 0; i < size_; ++i)
      before_[i + 1] = before_[i] * base + static_cast<unsigned char>(text[i]) + 1;
  }
  std::uint64_t whole() const { return mixed(before_[size_]); }
  std::uint64_t without(std::size_t begin, std::size_t end) const {
    const std::uint64_t power = powers[size_ - end];
    return mixed(before_[begin] * power + before_[size_] - before_[end] * power);
  }

 private:
  using Numbers = std::array<std::uint64_t, longest_folded + 1>;
  static constexpr std::uint64_t base = 0x9E3779B97F4A7C15ULL;
  static constexpr Numbers powers = [] {
    Numbers numbers = {1};
    for (std::size_t i = 1; i < numbers.size(); ++i) numbers[i] = numbers[i - 1] * base;
    return numbers;
  }();
  static std::uint64_t mixed(std::uint64_t hash) {
    hash ^= hash >> 31U;
    hash *= 0xBF58476D1CE4E5B9ULL;
    return hash ^ (hash >> 29U);
  }

  Numbers before_ = {};
  std::size_t size_ = 0;
};

// Of the text itself and, in long ones, of the text less each letter: two names that are one slip
// apart have one of them in common.
template <class Take>
void each_key(FoldedHash& hash, std::string_view text, Take&& take) {
  hash.take(text);
  take(hash.whole());
  if (characters_in(text) < shortest_word) return;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = begin + 1;
    while (end < text.size() && continues(text[end])) ++end;
    if (is_letter(text[begin])) take(hash.without(begin, end));
  }
}

// Which keys have come up before, roughly: two bits for each, seen and seen again, shared by some.
class SeenTwice {
 public:
  explicit SeenTwice(std::size_t keys)
      : slots_(std::clamp(std::bit_ceil(4 * keys), slots_a_word, most_slots)),
        words_(slots_ / slots_a_word) {}

  void add(std::uint64_t key) {
    const std::size_t slot = key & (slots_ - 1), shift = 2 * (slot % slots_a_word);
    std::uint64_t& word = words_[slot / slots_a_word];
    word |= (word >> shift & 1U) << (shift + 1) | std::uint64_t{1} << shift;
  }
  bool has(std::uint64_t key) const {
    const std::size_t slot = key & (slots_ - 1), shift = 2 * (slot % slots_a_word);
    return (words_[slot / slots_a_word] >> (shift + 1) & 1U) != 0;
  }

 private:
  static constexpr std::size_t slots_a_word = 32;

  std::size_t slots_;
  std::vector<std::uint64_t> words_;
};

class Finder {
 public:
  explicit Finder(const std::vector<std::string>& names) : names_(names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::string text = names[i].size() <= longest_name ? folded(names[i]) : std::string();
      if (characters_in(text) < shortest_folded) text.clear();
      keys_ += text.empty() ? 0 : text.size() + 1;
      folded_.push_back(std::move(text));
    }
  }

  // Most keys come up once: the first round finds those that do not, the second sorts them.
  std::vector<SimilarNames::Pair> pairs() const {
    FoldedHash hash;
    SeenTwice seen(keys_);
    for (const std::string& text : folded_)
      if (!text.empty()) each_key(hash, text, [&](std::uint64_t key) { seen.add(key); });
    std::vector<Key> keys;
    for (std::size_t i = 0; i < folded_.size(); ++i) {
      if (folded_[i].empty()) continue;
      each_key(hash, folded_[i], [&](std::uint64_t key) {
        if (seen.has(key)) keys.push_back({key, static_cast<std::int32_t>(i)});
      });
    }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<SimilarNames::Pair> pairs;
    for (std::size_t i = 0; i < keys.size(); ++i) pair_with_earlier(keys, i, pairs);
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
  }

 private:
  void pair_with_earlier(const std::vector<Key>& keys, std::size_t at,
                         std::vector<SimilarNames::Pair>& pairs) const {
    for (std::size_t back = 1; back <= std::min(at, looked_back); ++back) {
      const Key &earlier = keys[at - back], &key = keys[at];
      if (earlier.hash != key.hash) return;
      if (!are_similar(earlier.name, key.name)) continue;
      pairs.push_back({earlier.name, key.name});
      return;
    }
  }

  bool are_similar(std::int32_t one, std::int32_t other) const {
    const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
    return folded_[a] == folded_[b] || differ_in_one_word(names_[a], names_[b]);
  }

  const std::vector<std::string>& names_;
  std::vector<std::string> folded_;  // empty: not looked at
  std::size_t keys_ = 0;
};

}  // namespace

SimilarNames find_similar_names(const std::vector<std::string>& names, std::size_t most) {
  auto pairs = Finder(names).pairs();
  SimilarNames similar;
  similar.pairs = pairs.size();
  pairs.resize(std::min(pairs.size(), most));
  similar.first = std::move(pairs);
  return similar;
}

}  // namespace orrery
