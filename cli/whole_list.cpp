#include "whole_list.h"

#include <filesystem>

namespace orrery {

bool take_whole_list(const std::string& source, DataOptions& options) {
  if (!is_one_list(source) || !options.split.empty()) return false;
  options.split = "100/0/0";
  options.split_by = "random";
  std::error_code unknown;
  return !std::filesystem::is_directory(source, unknown);
}

}  // namespace orrery
