#include "facts/byte_source.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace orrery {
namespace {

constexpr std::size_t compressed_block = std::size_t{1} << 20;
// zlib counts in 32 bits.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

class PlainBytes final : public ByteSource {
 public:
  explicit PlainBytes(const std::filesystem::path& path)
      : path_(name_of_source(path)),
        descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0)
      fail_request(About{.place = {path_}}, "cannot be opened: {}", std::strerror(errno));
  }
  ~PlainBytes() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  PlainBytes(const PlainBytes&) = delete;
  PlainBytes& operator=(const PlainBytes&) = delete;

  std::size_t read(std::span<char> into) override {
    while (true) {
      const ssize_t got = ::read(descriptor_, into.data(), into.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno == EISDIR)
        fail_request(About{.place = {path_}}, "is a directory, not a facts file");
      if (errno != EINTR)
        fail_broken(About{.place = {path_}}, "cannot be read: {}", std::strerror(errno));
    }
  }

 private:
  std::string path_;
  int descriptor_;
};

[[noreturn]] void fail_damaged(const std::string& path, std::string_view format,
                               std::string_view why) {
  fail_request(About{.place = {path}, .advice = "fetch or compress the file again"},
               "the {} stream is damaged ({})", format, why);
}

class GzipBytes final : public ByteSource {
 public:
  GzipBytes(std::unique_ptr<ByteSource> file, std::string name)
      : file_(std::move(file)), name_(std::move(name)), input_(compressed_block) {
    constexpr int gzip_wrapper_only = 15 + 16;
    if (inflateInit2(&stream_, gzip_wrapper_only) != Z_OK) {
      fail_broken(About{.place = {name_}}, "zlib could not be started");
    }
  }
  ~GzipBytes() override { inflateEnd(&stream_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  std::size_t read(std::span<char> into) override {
    const auto room = static_cast<uInt>(std::min(into.size(), most_at_once));
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !flushing_ && !refill()) {
        if (!between_members_) fail_damaged(name_, "gzip", "it ends too early");
        return 0;
      }
      if (between_members_) inflateReset(&stream_);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      between_members_ = status == Z_STREAM_END;
      // A full output may leave decoded bytes inside the library that need no more input.
      flushing_ = stream_.avail_out == 0 && !between_members_;
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        fail_damaged(name_, "gzip", stream_.msg != nullptr ? stream_.msg : "unreadable");
      }
    }
    return room - stream_.avail_out;
  }

 private:
  bool refill() {
    stream_.avail_in = static_cast<uInt>(file_->read(input_));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    return stream_.avail_in > 0;
  }

  std::unique_ptr<ByteSource> file_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_ = {};
  bool between_members_ = false, flushing_ = false;
};

class ZstdBytes final : public ByteSource {
 public:
  ZstdBytes(std::unique_ptr<ByteSource> file, std::string name)
      : file_(std::move(file)),
        name_(std::move(name)),
        stream_(ZSTD_createDStream()),
        input_(compressed_block) {
    if (!stream_)
      fail_broken(About{.place = {name_}}, "the Zstandard library could not be started");
  }

  std::size_t read(std::span<char> into) override {
    ZSTD_outBuffer out = {into.data(), into.size(), 0};
    while (out.pos == 0) {
      if (pending_.pos == pending_.size && !flushing_ && !refill()) {
        if (!between_frames_) fail_damaged(name_, "Zstandard", "it ends too early");
        return 0;
      }
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &pending_);
      if (ZSTD_isError(status) != 0) {
        fail_damaged(name_, "Zstandard", ZSTD_getErrorName(status));
      }
      between_frames_ = status == 0;
      flushing_ = out.pos == out.size && !between_frames_;
    }
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  bool refill() {
    pending_ = {input_.data(), file_->read(input_), 0};
    return pending_.size > 0;
  }

  std::unique_ptr<ByteSource> file_;
  std::string name_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::vector<char> input_;
  ZSTD_inBuffer pending_ = {nullptr, 0, 0};
  bool between_frames_ = false, flushing_ = false;
};

}  // namespace

HeadBytes::HeadBytes(std::unique_ptr<ByteSource> rest) : rest_(std::move(rest)) {}

std::string_view HeadBytes::head(std::size_t most) {
  const std::size_t wanted = taken_ + most;
  std::size_t size = head_.size();
  if (size < wanted) {
    head_.resize(wanted);
    while (size < wanted) {
      const std::size_t got = rest_->read({head_.data() + size, wanted - size});
      if (got == 0) break;
      size += got;
    }
    head_.resize(size);
  }
  return std::string_view(head_).substr(taken_, most);
}

std::size_t HeadBytes::read(std::span<char> into) {
  if (taken_ == head_.size()) return rest_->read(into);
  const std::size_t size = std::min(into.size(), head_.size() - taken_);
  std::copy_n(head_.data() + taken_, size, into.data());
  taken_ += size;
  return size;
}

std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path) {
  constexpr std::string_view gzip_mark = "\x1F\x8B", zstd_mark = "\x28\xB5\x2F\xFD";
  auto bytes = std::make_unique<HeadBytes>(std::make_unique<PlainBytes>(path));
  const std::string_view head = bytes->head(zstd_mark.size());
  if (path.extension() == ".gz" || head.starts_with(gzip_mark))
    return std::make_unique<GzipBytes>(std::move(bytes), name_of_source(path));
  if (path.extension() == ".zst" || head.starts_with(zstd_mark))
    return std::make_unique<ZstdBytes>(std::move(bytes), name_of_source(path));
  return bytes;
}

std::string name_of_source(const std::filesystem::path& path) {
  return path == "-" ? "standard input" : path.string();
}

}  // namespace orrery
