#include "data/vocabulary.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/folded_text.h"
#include "base/spelling.h"
#include "facts/utf8.h"

namespace orrery {

Vocabulary::Vocabulary(std::vector<std::string> names) : names_(std::move(names)) {
  const auto unsorted =
      std::adjacent_find(names_.begin(), names_.end(),
                         [](const std::string& a, const std::string& b) { return !(a < b); });
  if (unsorted != names_.end()) {
    fail_broken("a vocabulary must be sorted and free of duplicates, but {} stands before {}",
                shown(*unsorted), shown(*(unsorted + 1)));
  }
}

std::optional<std::int32_t> Vocabulary::find(std::string_view name) const {
  const auto at = std::lower_bound(names_.begin(), names_.end(), name);
  if (at == names_.end() || *at != name) return std::nullopt;
  return static_cast<std::int32_t>(at - names_.begin());
}

std::int32_t Vocabulary::require(std::string_view name, std::string_view what) const {
  if (const auto id = find(name)) return *id;
  if (const auto id = find_folded(name)) return *id;
  std::vector<std::string> nearest;
  for (const std::string& suggestion : suggestions(name)) nearest.push_back(shown(suggestion));
  if (nearest.empty()) {
    fail_request("there is no {} {} among the {} known, nor one spelt like it", what, shown(name),
                 size());
  }
  fail_request(About{.advice = worded("did you mean {}?", fmt::join(nearest, " or "))},
               "there is no {} {}", what, shown(name));
}

// Of several that are alike none is meant.
std::optional<std::int32_t> Vocabulary::find_folded(std::string_view name) const {
  const std::string wanted = folded(name);
  const auto is_it = [&](const std::string& known) { return folded(known) == wanted; };
  const auto found = std::ranges::find_if(names_, is_it);
  if (found == names_.end() || std::any_of(found + 1, names_.end(), is_it)) return {};
  return static_cast<std::int32_t>(found - names_.begin());
}

std::vector<std::string> Vocabulary::suggestions(std::string_view name, std::size_t most) const {
  const Spelling wanted(name);
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (const auto difference = wanted.difference_to(names_[i])) near.emplace_back(*difference, i);
  }
  std::sort(near.begin(), near.end());
  if (near.size() > most) near.resize(most);
  std::vector<std::string> nearest;
  for (const auto& [difference, i] : near) nearest.push_back(names_[i]);
  return nearest;
}

}  // namespace orrery
