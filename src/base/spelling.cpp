#include "base/spelling.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "base/folded_text.h"

namespace orrery {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

Spelling::Spelling(std::string_view wanted) : folded_(folded(wanted)), words_(words_of(folded_)) {}

std::optional<double> Spelling::difference_to(std::string_view candidate) const {
  const std::string other = folded(candidate);
  if (other == folded_) return 0.0;
  if (folded_.empty() || other.empty()) return std::nullopt;

  std::optional<double> best;
  const auto offer = [&best](double difference) {
    if (!best || difference < *best) best = difference;
  };
  const auto longest = static_cast<double>(std::max(folded_.size(), other.size()));
  const std::size_t tolerated = std::max<std::size_t>(1, folded_.size() / 3);
  const std::size_t edits = edit_distance(folded_, other, tolerated);
  if (edits <= tolerated) offer(static_cast<double>(edits) / longest);

  // The wanted text, or most of its words, somewhere in a longer name: the shorter the better.
  constexpr std::size_t shortest_piece = 3;
  const double excess = 1.0 - static_cast<double>(folded_.size()) / longest;
  if (folded_.size() >= shortest_piece && other.find(folded_) != std::string::npos) {
    offer(0.2 + 0.2 * excess);
  } else if (words_.size() > 1) {
    const auto shared =
        std::count_if(words_.begin(), words_.end(), [&other](const std::string& word) {
          return word.size() >= shortest_piece && other.find(word) != std::string::npos;
        });
    const double share = static_cast<double>(shared) / static_cast<double>(words_.size());
    if (share >= 0.5) offer(0.4 + 0.4 * (1.0 - share) + 0.1 * excess);
  }
  return best;
}

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > most) return most + 1;
  // Three rows of the table: two back (for exchanges), one back, and the one being filled.
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1);
      }
      least = std::min(least, row[j]);
    }
    if (least > most) return most + 1;
  }
  return std::min(rows[a.size() % 3][b.size()], most + 1);
}

}  // namespace orrery
