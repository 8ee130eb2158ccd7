#include "fetch/download.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "fetch/curl_library.h"
#include "fetch/part_file.h"
#include "page/text_table.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds longest_pause{30'000};
constexpr long most_redirects = 5;
constexpr std::uint64_t most_header_bytes = 1'000'000;

using Handle = std::unique_ptr<CURL, decltype(CurlLibrary::cleanup)>;

Handle new_handle() {
  const CurlLibrary& library = curl_library();
  static const CURLcode ready = library.global_init(CURL_GLOBAL_DEFAULT);
  Handle handle(ready == CURLE_OK ? library.easy_init() : nullptr, library.cleanup);
  if (!handle) fail_broken("libcurl does not start");
  return handle;
}

// What the callbacks of one request share.
struct Transfer {
  CURL* curl = nullptr;
  PartFile* part = nullptr;
  FileSize size;
  const DownloadProgress* progress = nullptr;
  std::uint64_t asked_from = 0;
  std::uint64_t total = 0;
  std::uint64_t header_bytes = 0;
  std::string content_range;  // "bytes 100-199/200"
  bool body_began = false;
  bool other_range = false;    // the server answers with a range that was not asked for
  std::string refusal;         // why nothing more of this server is wanted
  std::exception_ptr failure;  // exceptions must not cross the C library
};

long status_of(CURL* curl) {
  long status = 0;
  curl_library().getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
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
    if (transfer.other_range) return;
  } else if (transfer.asked_from > 0) {
    transfer.part->restart();  // a server that knows no ranges sends the whole file again
  }
  curl_off_t length = -1;
  curl_library().getinfo(transfer.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length < 0) return;
  transfer.total = transfer.part->size() + static_cast<std::uint64_t>(length);
  if (transfer.total > transfer.size.most)
    transfer.refusal = fmt::format("the server announces {} bytes", transfer.total);
}

// Any other answer than `count` ends the transfer.
std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* user) noexcept {
  auto& transfer = *static_cast<Transfer*>(user);
  try {
    if (!transfer.body_began) begin_body(transfer);
    if (transfer.other_range || !transfer.refusal.empty()) return 0;
    if (count > transfer.size.most - transfer.part->size()) {
      transfer.refusal = "the server goes on sending";
      return 0;
    }
    transfer.part->append(bytes, count);
    if (*transfer.progress) (*transfer.progress)(transfer.part->size(), transfer.total);
    return count;
  } catch (...) {
    transfer.failure = std::current_exception();
    return 0;
  }
}

std::size_t on_header(char* bytes, std::size_t, std::size_t count, void* user) noexcept {
  auto& transfer = *static_cast<Transfer*>(user);
  transfer.header_bytes += count;
  if (transfer.header_bytes > most_header_bytes) {
    transfer.refusal = "the server's headers do not end";
    return 0;
  }
  constexpr std::string_view wanted = "content-range:";
  const std::string_view line(bytes, count);
  const auto same = [](char small, char any) {
    return small == (any >= 'A' && any <= 'Z' ? any + ('a' - 'A') : any);
  };
  if (line.size() > wanted.size() && std::equal(wanted.begin(), wanted.end(), line.begin(), same)) {
    transfer.content_range = line.substr(wanted.size());
  }
  return count;
}

// Bodies that are not for us, as those of redirects, pass `on_body` by.
int on_progress(void* user, curl_off_t, curl_off_t received, curl_off_t, curl_off_t) noexcept {
  auto& transfer = *static_cast<Transfer*>(user);
  if (received < 0 || static_cast<std::uint64_t>(received) <= transfer.size.most) return 0;
  if (transfer.refusal.empty()) transfer.refusal = "the server goes on sending";
  return 1;
}

struct Outcome {
  // `later`: only another call may have more luck.
  enum class Kind { done, again, later, final } kind = Kind::final;
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

Outcome judge_timeout(CURL* curl, const DownloadOptions& options) {
  curl_off_t connected = 0;
  curl_library().getinfo(curl, CURLINFO_PRETRANSFER_TIME_T, &connected);
  if (connected == 0) {
    return {Outcome::Kind::again,
            fmt::format("there is no connection after {} s",
                        std::chrono::duration<double>(options.connect_timeout).count())};
  }
  return {Outcome::Kind::later,
          fmt::format("the server is too slow: under {} bytes a second for {} s",
                      options.slowest_rate, options.patience.count())};
}

Outcome judge_code(CURLcode code, CURL* curl, const DownloadOptions& options) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return judge_timeout(curl, options);
    case CURLE_PARTIAL_FILE:
      return {Outcome::Kind::again, "the connection closed before the end of the file"};
    case CURLE_TOO_MANY_REDIRECTS:
      return {Outcome::Kind::final,
              fmt::format("the server redirects more than {} times", most_redirects)};
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {Outcome::Kind::final, "the server redirects to what is not http:// or https://"};
    default:
      return {is_passing(code) ? Outcome::Kind::again : Outcome::Kind::final,
              curl_library().strerror(code)};
  }
}

Outcome refused(PartFile& part, const FileSize& size, std::string_view problem) {
  part.restart();
  return {Outcome::Kind::final,
          fmt::format("{}, and the file has {}{} bytes; nothing of it was kept", problem,
                      size.exact ? "" : "at most ", size.most)};
}

// The server has sent all that it has.
Outcome judge_end(Transfer& transfer) {
  if (!transfer.body_began) begin_body(transfer);  // a body without a byte
  const std::uint64_t here = transfer.part->size();
  if (transfer.size.exact && here < transfer.size.most)
    return refused(*transfer.part, transfer.size,
                   fmt::format("it is cut short: {} bytes came", here));
  return {Outcome::Kind::done, ""};
}

void ask_for(CURL* curl, const std::string& url, const std::string& range,
             const DownloadOptions& options, Transfer& transfer) {
  const auto set = curl_library().setopt;
  set(curl, CURLOPT_URL, url.c_str());
  if (transfer.asked_from > 0) set(curl, CURLOPT_RANGE, range.c_str());
  set(curl, CURLOPT_USERAGENT, "orrery");
  set(curl, CURLOPT_NOSIGNAL, 1L);
  set(curl, CURLOPT_FAILONERROR, 1L);
  set(curl, CURLOPT_FOLLOWLOCATION, 1L);
  set(curl, CURLOPT_MAXREDIRS, most_redirects);
  // No redirect may lead to a local file: an older libcurl does not know the option.
  if (set(curl, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK ||
      set(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") != CURLE_OK)
    fail_request(About{.option = "from", .advice = "install libcurl 7.85 or newer"},
                 "the libcurl of this machine is too old to be told where it may not go");
  set(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  set(curl, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options.slowest_rate));
  set(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.patience.count()));
  set(curl, CURLOPT_WRITEFUNCTION, &on_body);
  set(curl, CURLOPT_WRITEDATA, &transfer);
  set(curl, CURLOPT_HEADERFUNCTION, &on_header);
  set(curl, CURLOPT_HEADERDATA, &transfer);
  set(curl, CURLOPT_XFERINFOFUNCTION, &on_progress);
  set(curl, CURLOPT_XFERINFODATA, &transfer);
  set(curl, CURLOPT_NOPROGRESS, 0L);
}

Outcome attempt(const std::string& url, PartFile& part, const FileSize& size,
                const DownloadOptions& options, const DownloadProgress& progress) {
  const Handle handle = new_handle();
  CURL* curl = handle.get();
  Transfer transfer;
  transfer.curl = curl;
  transfer.part = &part;
  transfer.size = size;
  transfer.progress = &progress;
  transfer.asked_from = part.size();

  ask_for(curl, url, fmt::format("{}-", part.size()), options, transfer);
  const CURLcode code = curl_library().perform(curl);
  if (transfer.failure) std::rethrow_exception(transfer.failure);
  if (!transfer.refusal.empty()) return refused(part, size, transfer.refusal);
  if (code == CURLE_OK) return judge_end(transfer);
  if (code == CURLE_HTTP_RETURNED_ERROR) return judge_status(status_of(curl), part);
  if (transfer.other_range) {
    part.restart();
    return {Outcome::Kind::again, "the server answers with another range than asked for"};
  }
  return judge_code(code, curl, options);
}

}  // namespace

void download(const std::string& url, const fs::path& part_path, const FileSize& size,
              const DownloadOptions& options, const DownloadProgress& progress) {
  PartFile part(part_path);
  if (part.size() >= size.most) part.restart();  // no beginning of that file
  auto pause = options.first_pause;
  for (int made = 1;; ++made) {
    const Outcome outcome = attempt(url, part, size, options, progress);
    if (outcome.kind == Outcome::Kind::done) return;
    if (outcome.kind == Outcome::Kind::final) {
      fail_request(
          About{.option = "from",
                .place = {url},
                .advice = "check the address, or name a mirror or a directory to fetch from"},
          "{}", outcome.problem);
    }
    if (made >= options.attempts || outcome.kind == Outcome::Kind::later) {
      fail_request(
          About{.option = "from",
                .place = {url},
                .advice =
                    worded("check the connection and run the same again{}, or name a mirror or a "
                           "directory to fetch from",
                           part.size() > 0 ? ", which continues there" : "")},
          "{} ({}, {} bytes here)", outcome.problem, counted(made, "attempt"), part.size());
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, longest_pause);
  }
}

}  // namespace orrery
