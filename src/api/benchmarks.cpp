#include "orrery/benchmarks.h"

#include <algorithm>
#include <cstdlib>

#include "api/benchmark_cache.h"
#include "base/error.h"
#include "base/paths.h"
#include "fetch/catalogue.h"
#include "fetch/fetch.h"

namespace orrery {
namespace {

std::vector<BenchmarkFile> files_of(const Benchmark& set) {
  std::vector<BenchmarkFile> files;
  const auto add = [&](const HomeFile& file) {
    files.push_back({file.name, file.checksum.size.most});
  };
  for (const BenchmarkSplit& split : set.splits) add(split.home);
  for (const HomeFile& list : set.id_lists) add(list);
  return files;
}

BenchmarkInfo info_of(const Benchmark& set) {
  return {.name = set.name,
          .train = set.splits.at(0).facts,
          .valid = set.splits.at(1).facts,
          .test = set.splits.at(2).facts,
          .entities = set.entities,
          .relations = set.relations,
          .times = set.times,
          .licence = set.licence,
          .home = set.home,
          .files = files_of(set)};
}

std::filesystem::path folder_in(const char* variable, const char* below) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  return std::filesystem::path(value) / below;
}

std::filesystem::path cache_folder() {
  for (const auto& folder : {folder_in("ORRERY_DATA", ""), folder_in("XDG_CACHE_HOME", "orrery"),
                             folder_in("HOME", ".cache/orrery")})
    if (!folder.empty()) return folder;
  fail_request(About{.option = "data", .advice = "set ORRERY_DATA, or fetch it with data get"},
               "there is no folder to keep a benchmark set in (neither ORRERY_DATA nor HOME is "
               "set)");
}

}  // namespace

std::vector<BenchmarkInfo> benchmarks() {
  std::vector<BenchmarkInfo> sets;
  for (const Benchmark& set : catalogue()) sets.push_back(info_of(set));
  return sets;
}

BenchmarkInfo benchmark_named(std::string_view name) { return info_of(catalogue_entry(name)); }

bool names_benchmark(std::string_view source) {
  return std::ranges::count(catalogue(), source, &Benchmark::name) > 0 && !path_exists(source);
}

std::vector<FetchedFile> fetch_benchmark(std::string_view name,
                                         const std::filesystem::path& directory,
                                         const std::string& from, const FetchObserver& observer) {
  FetchOptions options;
  options.from = from;
  return fetch_files(catalogue_entry(name), directory, options, observer);
}

std::filesystem::path benchmark_folder(std::string_view name) {
  return cache_folder() / catalogue_entry(name).name;
}

std::filesystem::path cached_benchmark(std::string_view name, const FetchObserver& observer) {
  auto directory = benchmark_folder(name);
  fetch_benchmark(name, directory, {}, observer);
  return directory;
}

}  // namespace orrery
