// Files that people have and that are no facts files: what they are, and the way out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orrery {

struct ForeignKind {
  std::string what;     // "a Parquet file"
  std::string way_out;  // what to do instead
};
// By the first bytes; `name` is for the command in the way out.
std::optional<ForeignKind> foreign_kind(std::string_view head, const std::string& name);

}  // namespace orrery
