// Checking checkpoint files for damage.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/error.h"

namespace orrery {

enum class PartState { good, damaged, unchecked };
std::string_view name_of(PartState state);

struct PartCheck {
  std::string part;  // "header", or a tensor
  std::uint64_t bytes = 0;
  PartState state = PartState::unchecked;
};

struct FileCheck {
  std::string file;
  std::string format;            // "orrery-model 2"; empty: not stated
  std::vector<PartCheck> parts;  // only the header when that cannot be read
  std::optional<Error> fault;    // why it cannot be read
  bool has_checksums = false;

  bool damaged() const;
};

// `path`: a run (its model and its state) or one file. A path that cannot be opened is a request
// Error.
std::vector<FileCheck> check_files(const std::filesystem::path& path);

}  // namespace orrery
