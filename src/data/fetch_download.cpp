#include "data/fetch_download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <exception>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds longest_pause{30'000};

// The file that grows; locked, so that two processes never write the same one.
class PartFile {
 public:
  explicit PartFile(fs::path path) : path_(std::move(path)) {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      fail_request("{}: cannot be written: {}", path_.string(), reason());
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      close(descriptor_);
      fail_request("{}: another process is downloading it; wait for that one to end",
                   path_.string());
    }
    const off_t end = lseek(descriptor_, 0, SEEK_END);
    size_ = end < 0 ? 0 : static_cast<std::uint64_t>(end);
  }
  ~PartFile() {
    // An empty file has nothing to continue from.
    if (size_ == 0) unlink(path_.c_str());
    close(descriptor_);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::uint64_t size() const { return size_; }

  void restart() {
    if (ftruncate(descriptor_, 0) != 0 || lseek(descriptor_, 0, SEEK_SET) != 0) fail_disk();
    size_ = 0;
  }

  void append(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = write(descriptor_, bytes, count);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_disk();
      bytes += written;
      count -= static_cast<std::size_t>(written);
      size_ += static_cast<std::uint64_t>(written);
    }
  }

 private:
  static std::string reason() { return std::generic_category().message(errno); }
  [[noreturn]] void fail_disk() const {
    fail_broken("{}: writing failed: {}", path_.string(), reason());
  }

  fs::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

Handle new_handle() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  Handle handle(ready == CURLE_OK ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!handle) fail_broken("libcurl does not start");
  return handle;
}

// What the callbacks of one request share.
struct Transfer {
  CURL* curl = nullptr;
  PartFile* part = nullptr;
  const DownloadProgress* progress = nullptr;
  std::uint64_t asked_from = 0;
  std::uint64_t total = 0;
  std::string content_range;  // "bytes 100-199/200"
  bool body_began = false;
  bool other_range = false;    // the server answers with a range that was not asked for
  std::exception_ptr failure;  // exceptions must not cross the C library
};

long status_of(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

bool continues_at(std::string_view content_range, std::uint64_t offset) {
  const std::size_t digits = content_range.find_first_of("0123456789");
  if (digits == std::string_view::npos) return false;
  std::uint64_t start = 0;
  const auto parsed = std::from_chars(content_range.data() + digits,
                                      content_range.data() + content_range.size(), start);
  return parsed.ec == std::errc() && start == offset;
}

void begin_body(Transfer& transfer) {
  transfer.body_began = true;
  if (status_of(transfer.curl) == 206) {
    transfer.other_range = !continues_at(transfer.content_range, transfer.asked_from);
  } else if (transfer.asked_from > 0) {
    transfer.part->restart();  // a server that knows no ranges sends the whole file again
  }
  curl_off_t length = -1;
  curl_easy_getinfo(transfer.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length >= 0) transfer.total = transfer.part->size() + static_cast<std::uint64_t>(length);
}

// Any other answer than `count` ends the transfer.
std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* user) noexcept {
  auto& transfer = *static_cast<Transfer*>(user);
  try {
    if (!transfer.body_began) begin_body(transfer);
    if (transfer.other_range) return 0;
    transfer.part->append(bytes, count);
    if (*transfer.progress) (*transfer.progress)(transfer.part->size(), transfer.total);
    return count;
  } catch (...) {
    transfer.failure = std::current_exception();
    return 0;
  }
}

std::size_t on_header(char* bytes, std::size_t, std::size_t count, void* user) noexcept {
  constexpr std::string_view wanted = "content-range:";
  const std::string_view line(bytes, count);
  const auto same = [](char small, char any) {
    return small == (any >= 'A' && any <= 'Z' ? any + ('a' - 'A') : any);
  };
  if (line.size() > wanted.size() && std::equal(wanted.begin(), wanted.end(), line.begin(), same)) {
    static_cast<Transfer*>(user)->content_range = line.substr(wanted.size());
  }
  return count;
}

struct Outcome {
  enum class Kind { done, again, final } kind = Kind::final;
  std::string problem;
};

Outcome judge_status(long status, PartFile& part) {
  if (status == 416) {  // what we hold is no beginning of that file
    part.restart();
    return {Outcome::Kind::again, "HTTP status 416 (range)"};
  }
  const bool passing = status >= 500 || status == 408 || status == 429;
  return {passing ? Outcome::Kind::again : Outcome::Kind::final,
          fmt::format("the server answers with HTTP status {}{}", status,
                      status == 404 ? " (not found)" : "")};
}

bool is_passing(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

Outcome attempt(const std::string& url, PartFile& part, const DownloadOptions& options,
                const DownloadProgress& progress) {
  const Handle handle = new_handle();
  CURL* curl = handle.get();
  Transfer transfer;
  transfer.curl = curl;
  transfer.part = &part;
  transfer.progress = &progress;
  transfer.asked_from = part.size();

  const std::string range = fmt::format("{}-", part.size());
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  if (part.size() > 0) curl_easy_setopt(curl, CURLOPT_RANGE, range.c_str());
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "orrery");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(options.connect_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);

  const CURLcode code = curl_easy_perform(curl);
  if (transfer.failure) std::rethrow_exception(transfer.failure);
  if (code == CURLE_OK) return {Outcome::Kind::done, ""};
  if (code == CURLE_HTTP_RETURNED_ERROR) return judge_status(status_of(curl), part);
  if (transfer.other_range) {
    part.restart();
    return {Outcome::Kind::again, "the server answers with another range than asked for"};
  }
  return {is_passing(code) ? Outcome::Kind::again : Outcome::Kind::final, curl_easy_strerror(code)};
}

}  // namespace

void download(const std::string& url, const fs::path& part_path, const DownloadOptions& options,
              const DownloadProgress& progress) {
  PartFile part(part_path);
  auto pause = options.first_pause;
  for (int made = 1;; ++made) {
    const Outcome outcome = attempt(url, part, options, progress);
    if (outcome.kind == Outcome::Kind::done) return;
    if (outcome.kind == Outcome::Kind::final) {
      fail_request("{}: {}; check the address, or name a mirror or a directory to fetch from", url,
                   outcome.problem);
    }
    if (made >= options.attempts) {
      fail_request(
          "{}: {} ({} attempts, {} bytes here); check the connection and run the same again, which "
          "continues there, or name a mirror or a directory to fetch from",
          url, outcome.problem, made, part.size());
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, longest_pause);
  }
}

}  // namespace orrery
