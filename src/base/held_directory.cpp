#include "base/held_directory.h"

#include <system_error>

#include "base/atomic_file.h"
#include "base/error.h"

namespace orrery {
namespace {

constexpr int most_tries = 100;

About needs_another(const std::filesystem::path& path) {
  return {.option = "out", .place = {path.string()}, .advice = worded("name another $out")};
}

}  // namespace

HeldDirectory HeldDirectory::existing(const std::filesystem::path& path) {
  HeldDirectory held(path);
  held.lock_.emplace(path);
  held.clean();
  return held;
}

// Between making and locking, another process that made it too may end with nothing to keep and
// remove it.
HeldDirectory HeldDirectory::make(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
    fail_request(needs_another(path), "is a file, and a directory is needed");
  HeldDirectory held(path);
  for (int tries = 0; tries < most_tries; ++tries) {
    held.make_missing();
    try {
      held.lock_.emplace(path);
    } catch (const Error&) {
      if (std::filesystem::exists(path, error)) throw;
      continue;
    }
    if (held.lock_->is_of(path)) {
      held.clean();
      return held;
    }
    held.lock_.reset();
  }
  fail_request(needs_another(path), "cannot be made, or is removed as soon as it is");
}

// Without a real lock a temporary may be that of another process's save.
void HeldDirectory::clean() const {
  if (lock_->is_real()) remove_stale_temporaries(path_);
}

void HeldDirectory::make_missing() {
  std::vector<std::filesystem::path> missing;
  std::error_code error;
  for (auto at = path_; !at.empty() && !std::filesystem::exists(at, error); at = at.parent_path()) {
    if (error) break;
    if (at.has_filename()) missing.push_back(at);
  }
  for (auto at = missing.rbegin(); !error && at != missing.rend(); ++at)
    if (std::filesystem::create_directory(*at, error)) made_.push_back(*at);
  // Another process may have removed an outer one again: then the lock is tried in vain.
  if (error && error != std::errc::no_such_file_or_directory)
    fail_request(needs_another(path_), "cannot be made ({})", error.message());
}

void HeldDirectory::remove_empty() noexcept {
  std::error_code in_use;
  for (auto at = made_.rbegin(); at != made_.rend(); ++at) std::filesystem::remove(*at, in_use);
}

HeldDirectory::~HeldDirectory() {
  if (lock_) remove_empty();
}

}  // namespace orrery
