#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

// Closes on every way out; the mapping itself does not need the descriptor any more.
struct Descriptor {
  int number = -1;
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

void copy_whole(int file, const std::filesystem::path& path, std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t got = ::pread(file, to.data() + done, to.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      fail_broken(About{.place = {path.string()}}, "cannot be read ({})", std::strerror(errno));
    if (got == 0)
      fail_request(About{.place = {path.string()}, .advice = "try again when it is whole"},
                   "became shorter while it was read");
    done += static_cast<std::size_t>(got);
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, FileUse use) {
  // Without O_NONBLOCK the opening of a named pipe would wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0) {
    fail_request(About{.place = {path.string()}, .advice = "check the path and its permissions"},
                 "cannot be opened ({})", std::strerror(errno));
  }
  struct stat facts {};
  if (::fstat(file.number, &facts) != 0) {
    fail_broken(About{.place = {path.string()}}, "cannot be examined ({})", std::strerror(errno));
  }
  if (!S_ISREG(facts.st_mode)) {
    fail_request(About{.place = {path.string()}, .advice = "name a file"}, "is not a regular file");
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0) return;  // mmap refuses an empty range
  const bool copied = use == FileUse::copied;
  void* address =
      copied ? ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
             : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (address == MAP_FAILED) {
    fail_broken(About{.place = {path.string()}}, "cannot be mapped into memory ({})",
                std::strerror(errno));
  }
  bytes_ = {static_cast<const std::byte*>(address), size};
  if (!copied) return;
  try {
    copy_whole(file.number, path, {static_cast<std::byte*>(address), size});
  } catch (...) {
    ::munmap(address, size);
    throw;
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace orrery
