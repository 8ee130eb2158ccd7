// A benchmark set from its public home, a mirror or a local directory into a data set directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/catalogue.h"
#include "fetch/download.h"

namespace orrery {

struct FetchOptions {
  // Empty: the home. "http://…" or "https://…": a mirror with the same file names. Else a local
  // directory with the files under their home names or as train/valid/test, also .gz or .zst.
  std::string from;
  DownloadOptions download;
};

struct FetchedFile {
  std::string name;  // "train.txt"
  std::uint64_t facts = 0;
  std::uint64_t bytes = 0;
  std::string sha256;
  bool was_there = false;  // already complete before the call
};

struct FetchProgress {
  std::string_view file;    // as its home calls it
  std::uint64_t done = 0;   // bytes
  std::uint64_t total = 0;  // 0: not known
};
using FetchObserver = std::function<void(const FetchProgress&)>;

// Every byte is checked before a file gets its final name. Files that are there and right are
// kept; a file of the same name with other content is a request Error, and nothing is touched.
// No more is downloaded or unpacked than the file has bytes. A download that breaks off stays in a
// "*.orrery-part" file, from which the next call goes on; what is refused leaves nothing.
std::vector<FetchedFile> fetch_benchmark(const Benchmark& set,
                                         const std::filesystem::path& directory,
                                         const FetchOptions& options = {},
                                         const FetchObserver& observer = {});

}  // namespace orrery
