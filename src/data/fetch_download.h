// One URL into one file, continued where an earlier attempt broke off.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace orrery {

struct DownloadOptions {
  int attempts = 5;                            // for broken connections and busy servers
  std::chrono::milliseconds first_pause{500};  // before the second attempt; then it doubles
  std::chrono::milliseconds connect_timeout{15'000};
  std::chrono::seconds stall_timeout{30};  // without a byte for so long: broken
};

// Bytes here and bytes in all (0: the server does not say). An exception ends the download.
using DownloadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// Whatever `part` holds already is taken for the beginning of the file and only the rest is asked
// for. On failure what has arrived stays in `part`, for the next call; the Error is a request one
// unless the disk failed. The caller checks the content.
void download(const std::string& url, const std::filesystem::path& part,
              const DownloadOptions& options, const DownloadProgress& progress);

}  // namespace orrery
