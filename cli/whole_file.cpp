#include "whole_file.h"

#include <filesystem>

namespace orrery {

bool take_whole_file(const std::string& source, DataOptions& options) {
  std::error_code unknown;
  if (names_benchmark(source) || std::filesystem::is_directory(source, unknown) ||
      !options.split.empty())
    return false;
  options.split = "100/0/0";
  options.split_by = "random";
  return true;
}

}  // namespace orrery
