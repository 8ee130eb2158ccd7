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
#include "orrery/benchmarks.h"

namespace orrery {

struct FetchOptions {
  // Empty: the home. "http://…" or "https://…": a mirror with the same file names. Else a local
  // directory with the files under their home names or as train/valid/test, also .gz or .zst.
  std::string from;
  DownloadOptions download;
};

// Every byte is checked before a file gets its final name. Files that are there and right are
// kept; a file of the same name with other content is a request Error, and nothing is touched.
// No more is downloaded or unpacked than the file has bytes. A download that breaks off stays in a
// "*.orrery-part" file, from which the next call goes on; what is refused leaves nothing.
std::vector<FetchedFile> fetch_files(const Benchmark& set, const std::filesystem::path& directory,
                                     const FetchOptions& options = {},
                                     const FetchObserver& observer = {});

}  // namespace orrery
