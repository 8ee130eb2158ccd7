#include "sweep/refusal.h"

#include <algorithm>

namespace orrery {
namespace {

// Where a message has these words and not only the beginning of longer ones, or npos.
std::size_t place_in(std::string_view message, std::string_view words) {
  constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyz0123456789-";
  for (auto at = message.find(words); at != std::string_view::npos;
       at = message.find(words, at + 1)) {
    const auto end = at + words.size();
    if (end == message.size() || of_names.find(message[end]) == std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string origin_of(const SweepOptions& options, const std::string& name) {
  const auto found = options.origins.find(name);
  return found == options.origins.end() ? std::string() : found->second;
}

std::string line_named_in(const SweepOptions& options, std::string_view message) {
  std::size_t first = std::string_view::npos;
  std::string line;
  for (const auto& [name, origin] : options.origins) {
    const auto at = std::min(place_in(message, "--" + name), place_in(message, "'" + name + "'"));
    if (at >= first) continue;
    first = at;
    line = origin;
  }
  return line;
}

}  // namespace orrery
