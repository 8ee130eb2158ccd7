// The public benchmark sets: what they hold, and fetching them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// A file as the set's own site has it: at home + "/" + name.
struct BenchmarkFile {
  std::string name;
  std::uint64_t most_bytes = 0;  // it has no more than these
};

struct BenchmarkInfo {
  std::string name;
  std::uint64_t train = 0, valid = 0, test = 0;  // facts
  std::uint64_t entities = 0, relations = 0;
  std::string times;    // "365 days"
  std::string licence;  // whose data it is
  std::string home;     // URL
  std::vector<BenchmarkFile> files;
};
std::vector<BenchmarkInfo> benchmarks();
// An unknown name is a request Error that lists the known ones.
BenchmarkInfo benchmark_named(std::string_view name);
// True where Dataset::open would take `source` as the name of a set: no file is called so.
bool names_benchmark(std::string_view source);
// Where Dataset::open keeps the set: in $ORRERY_DATA, else in the user's cache folder.
std::filesystem::path benchmark_folder(std::string_view name);

struct FetchedFile {
  std::string name;  // "train.txt"
  std::uint64_t facts = 0;
  std::uint64_t bytes = 0;
  std::string sha256;
  bool was_there = false;  // already complete before the call
};

struct FetchProgress {
  std::string_view file;    // its name at the source
  std::uint64_t done = 0;   // bytes
  std::uint64_t total = 0;  // 0: not known
};
using FetchObserver = std::function<void(const FetchProgress&)>;

// Downloads are checked against their SHA-256 before they get their final names. Correct files that
// are already there are kept; a file of the same name with other content is a request Error, and
// nothing is changed. An interrupted download continues with the next call.
// `from`: empty for the set's own site; a mirror ("https://…") with the same file names; or a local
// directory that holds the files.
std::vector<FetchedFile> fetch_benchmark(std::string_view name,
                                         const std::filesystem::path& directory,
                                         const std::string& from = {},
                                         const FetchObserver& observer = {});

}  // namespace orrery
