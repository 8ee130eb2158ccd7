#include "http/name_index.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/folded_text.h"

namespace orrery {
namespace {

// Bytes of letters beyond ASCII are taken for parts of a word.
bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

enum Likeness { same, beginning, word, within, likenesses, unlike };

Likeness likeness(std::string_view name, std::string_view typed) {
  std::size_t at = name.find(typed);
  if (at == std::string_view::npos) return unlike;
  if (at == 0) return name.size() == typed.size() ? same : beginning;
  for (; at != std::string_view::npos; at = name.find(typed, at + 1))
    if (!is_of_word(name[at - 1])) return word;
  return within;
}

}  // namespace

NameIndex::NameIndex(std::span<const std::string> names) : names_(names) {
  ends_.reserve(names.size());
  for (const std::string& name : names) {
    folded_ += folded(name);
    ends_.push_back(folded_.size());
  }
}

std::string_view NameIndex::folded_name(std::size_t i) const {
  const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
  return std::string_view(folded_).substr(begin, ends_[i] - begin);
}

const std::string* NameIndex::exact(std::string_view name) const {
  const auto same_bytes = std::ranges::find(names_, name);
  if (same_bytes != names_.end()) return &*same_bytes;
  const std::string wanted = folded(name);
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (folded_name(i) == wanted) return &names_[i];
  return nullptr;
}

NameIndex::Found NameIndex::find(std::string_view typed, std::size_t most) const {
  const std::string wanted = folded(typed);
  std::array<std::vector<std::string_view>, likenesses> by_likeness;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Likeness how = likeness(folded_name(i), wanted);
    if (how != unlike && by_likeness[how].size() <= most) by_likeness[how].push_back(names_[i]);
    if (wanted.empty() && by_likeness[beginning].size() > most) break;
  }
  Found found;
  for (const auto& names : by_likeness)
    for (const std::string_view name : names) {
      found.more = found.names.size() == most;
      if (found.more) return found;
      found.names.push_back(name);
    }
  return found;
}

}  // namespace orrery
