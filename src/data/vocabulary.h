// Names and their ids: an id is the position of a name in the sorted set (byte order).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

class Vocabulary {
 public:
  Vocabulary() = default;
  // `names` must be sorted and free of duplicates.
  explicit Vocabulary(std::vector<std::string> names);

  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }
  const std::string& name(std::int32_t id) const { return names_.at(static_cast<std::size_t>(id)); }
  const std::vector<std::string>& names() const { return names_; }
  std::optional<std::int32_t> find(std::string_view name) const;

  // The name itself, else the only one that differs in case and accents alone (base/folded_text.h).
  // Any other is a request Error that suggests the nearest names; `what` is "entity" or "relation".
  std::int32_t require(std::string_view name, std::string_view what) const;
  // The known names nearest in spelling (case, distance, contained words), best first.
  std::vector<std::string> suggestions(std::string_view name, std::size_t most = 3) const;

 private:
  std::optional<std::int32_t> find_folded(std::string_view name) const;

  std::vector<std::string> names_;
};

}  // namespace orrery
