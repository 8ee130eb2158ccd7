// How near two names are in spelling, for "did you mean …?".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

class Spelling {
 public:
  explicit Spelling(std::string_view wanted);

  // From 0 (the same when folded) upwards; empty when unlike.
  std::optional<double> difference_to(std::string_view candidate) const;

 private:
  std::string folded_;
  std::vector<std::string> words_;
};

// Insertions, deletions, replacements and exchanges of neighbours that turn one into the other;
// more than `most` counts as most + 1.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

}  // namespace orrery
