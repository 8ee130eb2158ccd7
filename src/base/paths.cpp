#include "base/paths.h"

#include <system_error>

#include "base/error.h"

namespace orrery {
namespace {

std::filesystem::file_status status_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none)
    fail_request("{}: cannot be reached ({}); check the path", path.string(), error.message());
  return status;
}

}  // namespace

bool path_exists(const std::filesystem::path& path) {
  return std::filesystem::exists(status_of(path));
}

bool is_directory_at(const std::filesystem::path& path) {
  return std::filesystem::is_directory(status_of(path));
}

}  // namespace orrery
