#include "whole_file.h"

#include <filesystem>

namespace orrery {

bool take_whole_file(const std::string& source, DataOptions& options) {
  std::error_code unknown;
  const auto kind = std::filesystem::status(source, unknown).type();
  const bool file = kind != std::filesystem::file_type::not_found &&
                    kind != std::filesystem::file_type::none &&
                    kind != std::filesystem::file_type::directory;
  if (!file || !options.split.empty()) return false;
  options.split = "100/0/0";
  options.split_by = "random";
  return true;
}

}  // namespace orrery
