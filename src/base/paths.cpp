#include "base/paths.h"

#include <sys/stat.h>

#include <system_error>

#include "base/error.h"

namespace orrery {
namespace {

std::filesystem::file_status status_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none)
    fail_request(About{.place = {path.string()}, .advice = "check the path"},
                 "cannot be reached ({})", error.message());
  return status;
}

}  // namespace

bool path_exists(const std::filesystem::path& path) {
  return std::filesystem::exists(status_of(path));
}

bool is_directory_at(const std::filesystem::path& path) {
  return std::filesystem::is_directory(status_of(path));
}

void require_regular_or_nothing(const std::filesystem::path& path) {
  const auto status = status_of(path);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    fail_request(About{.place = {path.string()}, .advice = "move it away"},
                 "is not a regular file");
}

DirectoryIdentity identity_of(const std::filesystem::path& directory) {
  struct stat found {};
  if (::stat(directory.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino};
}

}  // namespace orrery
