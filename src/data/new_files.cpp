#include "data/new_files.h"

#include "base/atomic_file.h"
#include "base/directory_lock.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/paths.h"

namespace orrery {

namespace fs = std::filesystem;

std::vector<fs::path> write_new_files(std::span<const NewFile> files, const fs::path& directory) {
  std::error_code error;
  if (!is_directory_at(directory)) fs::create_directories(directory, error);
  if (error)
    fail_request(About{.place = {directory.string()}, .advice = "name another directory"},
                 "cannot be created ({})", error.message());
  const DirectoryLock lock(directory);  // before looking: two processes must not mix their files
  for (const auto& [name, text] : files) {
    const fs::path path = directory / name;
    if (path_exists(path) && MappedFile(path).text() != text)
      fail_request(About{.place = {path.string()}, .advice = "name another directory"},
                   "exists with other content and is left alone");
  }
  std::vector<fs::path> written;
  for (const auto& [name, text] : files) {
    written.push_back(directory / name);
    write_file_atomically(written.back(), text);
  }
  return written;
}

}  // namespace orrery
