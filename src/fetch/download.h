// One URL into one file, continued where an earlier attempt broke off.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "fetch/checksum.h"

namespace orrery {

struct DownloadOptions {
  int attempts = 5;                            // for broken connections and busy servers
  std::chrono::milliseconds first_pause{500};  // before the second attempt; then it doubles
  std::chrono::milliseconds connect_timeout{15'000};
  std::int64_t slowest_rate = 1'000;  // bytes a second
  std::chrono::seconds patience{30};  // slower than that for so long: an Error
};

// Bytes here and bytes in all (0: the server does not say). An exception ends the download.
using DownloadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// Whatever `part` holds already is taken for the beginning of the file and only the rest is asked
// for. A server that announces or sends another size than `size` is refused at once, and nothing of
// it is kept. Where the connection breaks or is too slow, what has arrived stays in `part` for the
// next call. Errors are request ones unless the disk failed. The caller checks the content.
void download(const std::string& url, const std::filesystem::path& part, const FileSize& size,
              const DownloadOptions& options, const DownloadProgress& progress);

}  // namespace orrery
