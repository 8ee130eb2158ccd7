#include "http/model_file.h"

#include <sys/stat.h>

#include "base/paths.h"

namespace orrery {
namespace {

constexpr const char* usual_name = "model.safetensors";

}  // namespace

FileIdentity file_identity(const std::filesystem::path& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino, static_cast<std::uint64_t>(found.st_size),
          std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec};
}

std::filesystem::path model_file_of(const std::filesystem::path& run) {
  return is_directory_at(run) ? run / usual_name : run;
}

std::string served_name(const std::filesystem::path& run) {
  std::filesystem::path path = std::filesystem::absolute(run).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "runs/a/"
  if (is_directory_at(path)) return path.filename().string();
  return (path.filename() == usual_name ? path.parent_path().filename() : path.stem()).string();
}

}  // namespace orrery
