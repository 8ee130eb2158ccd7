#include "base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

constexpr std::size_t buffer_size = 1 << 18;

std::string reason(int code) { return std::generic_category().message(code); }

std::filesystem::path folder_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

constexpr std::string_view temporary_mark = ".orrery-", temporary_end = ".tmp";

// Unique among the threads of this process and, by its id, among processes.
std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter = 0;
  return folder_of(target) / fmt::format(".{}{}{}-{}{}", target.filename().string(), temporary_mark,
                                         getpid(), counter.fetch_add(1), temporary_end);
}

// Whether temporary_beside() gives such names: ".NAME.orrery-DIGITS-DIGITS.tmp".
bool is_name_of_temporary(std::string_view name) {
  const std::size_t mark = name.rfind(temporary_mark);
  if (!name.starts_with('.') || !name.ends_with(temporary_end) || mark == name.npos || mark < 2)
    return false;
  name.remove_suffix(temporary_end.size());
  const std::string_view numbers = name.substr(mark + temporary_mark.size());
  const std::size_t dash = numbers.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  return dash != numbers.npos && is_number(numbers.substr(0, dash)) &&
         is_number(numbers.substr(dash + 1));
}

void sync_path(const std::filesystem::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int code = errno;
  if (descriptor >= 0) close(descriptor);
  // Some file systems cannot fsync a directory; there the rename is as durable as it gets.
  if (!synced && code != EINVAL && code != ENOTSUP) {
    fail_broken(About{.place = {path.string()}}, "cannot be flushed to the disk: {}", reason(code));
  }
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target)
    : target_(std::move(target)), temporary_(temporary_beside(target_)) {
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    fail_request(About{.place = {target_.string()},
                       .advice = "check that the directory exists and is writable"},
                 "cannot be written: {}", reason(errno));
  }
  pending_.reserve(buffer_size);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

// Small pieces are gathered; what is larger than the buffer is written from where it lies.
void AtomicFile::write(std::span<const std::byte> bytes) {
  if (bytes.size() > buffer_size - pending_.size()) flush();
  if (bytes.size() > buffer_size) {
    write_through(bytes);
  } else {
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  }
}

void AtomicFile::flush() {
  write_through(pending_);
  pending_.clear();
}

void AtomicFile::write_through(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_to_write(written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::fail_to_write(int code) const {
  const bool no_room = code == ENOSPC || code == EDQUOT || code == EFBIG;
  fail_broken(
      About{.place = {target_.string()}, .advice = no_room ? "make room, or write elsewhere" : ""},
      "writing failed: {}; the file is left as it was", reason(code));
}

void AtomicFile::commit() {
  flush();
  if (close(std::exchange(descriptor_, -1)) != 0) fail_to_write(errno);
  publish_file(temporary_, target_);
  temporary_.clear();
}

void write_file_atomically(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

void remove_stale_temporaries(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> stale;  // removing while one lists may skip entries
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code unknown;
    if (is_name_of_temporary(at->path().filename().string()) &&
        std::filesystem::is_regular_file(at->symlink_status(unknown)))
      stale.push_back(at->path());
  }
  for (const auto& path : stale) std::filesystem::remove(path, error);
}

void publish_file(const std::filesystem::path& finished, const std::filesystem::path& target) {
  sync_path(finished, O_RDONLY);
  std::error_code error;
  std::filesystem::rename(finished, target, error);
  if (error)
    fail_broken(About{.place = {target.string()}}, "cannot be put in place: {}", error.message());
  sync_path(folder_of(target), O_RDONLY | O_DIRECTORY);
}

}  // namespace orrery
