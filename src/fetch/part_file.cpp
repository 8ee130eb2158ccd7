#include "fetch/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

PartFile::PartFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    fail_request(About{.place = {path_.string()}, .advice = "name another directory"},
                 "cannot be written: {}", reason());
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor_);
    fail_request(About{.place = {path_.string()}, .advice = "wait for that one to end"},
                 "another process is downloading it");
  }
  const off_t end = lseek(descriptor_, 0, SEEK_END);
  size_ = end < 0 ? 0 : static_cast<std::uint64_t>(end);
}

PartFile::~PartFile() {
  if (size_ == 0) unlink(path_.c_str());
  close(descriptor_);
}

void PartFile::restart() {
  if (ftruncate(descriptor_, 0) != 0 || lseek(descriptor_, 0, SEEK_SET) != 0) fail_disk();
  size_ = 0;
}

void PartFile::append(const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = write(descriptor_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_disk();
    bytes += written;
    count -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
}

void PartFile::fail_disk() const {
  fail_broken(About{.place = {path_.string()}}, "writing failed: {}", reason());
}

}  // namespace orrery
