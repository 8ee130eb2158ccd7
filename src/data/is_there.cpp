#include "data/is_there.h"

#include <system_error>

#include "base/error.h"

namespace orrery {

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none) {
    fail_request("{}: cannot be looked at ({}); name another path", path.string(), error.message());
  }
  return std::filesystem::exists(status);
}

}  // namespace orrery
