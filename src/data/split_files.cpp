#include "data/split_files.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "data/temporal_graph.h"
#include "facts/file_kind.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

// "latest" is no test split: a sign must stand before the name.
bool ends_as(std::string_view stem, std::string_view split) {
  if (stem.size() <= split.size() || !stem.ends_with(split)) return false;
  const char before = stem[stem.size() - split.size() - 1];
  return std::isalnum(static_cast<unsigned char>(before)) == 0;
}

// What other programs call a split. The name that is ours goes first.
std::vector<std::string_view> names_of(Split split) {
  switch (split) {
    case Split::train:
      return {"train", "training"};
    case Split::valid:
      return {"valid", "validation", "val", "dev"};
    default:
      return {"test", "testing"};
  }
}

// Of one name: the files that bear it, or else those whose names end so.
std::vector<fs::path> files_named(const std::vector<fs::path>& files, std::string_view name) {
  std::vector<fs::path> exact, suffixed;
  for (const fs::path& file : files) {
    const std::string stem = facts_file_name(file).stem;
    if (stem == name) exact.push_back(file);
    if (ends_as(stem, name)) suffixed.push_back(file);
  }
  return exact.empty() ? suffixed : exact;
}

std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      const bool hidden = entry.path().filename().string().starts_with('.');
      // What cannot be looked at is kept: should it be a split, reading it will say why not.
      std::error_code error;
      if (!hidden && (entry.is_regular_file(error) || error)) files.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& error) {
    fail_request(About{.option = "data", .place = {directory.string()}},
                 "the directory cannot be listed: {}", error.code().message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::array<std::optional<fs::path>, 3> find_split_files(const fs::path& directory) {
  const std::vector<fs::path> files = files_in(directory);
  std::array<std::optional<fs::path>, 3> found;
  for (const Split split : all_splits) {
    std::vector<fs::path> candidates;
    for (const std::string_view name : names_of(split))
      if (candidates.empty()) candidates = files_named(files, name);
    if (candidates.size() > 1) {
      fail_request(
          About{.option = "data", .place = {directory.string()}, .advice = "keep one of them"},
          "both {} and {} could be the {} split", candidates[0].filename().string(),
          candidates[1].filename().string(), name_of(split));
    }
    if (!candidates.empty()) found[static_cast<std::size_t>(split)] = candidates.front();
  }
  if (!found[static_cast<std::size_t>(Split::train)]) {
    fail_request(
        About{.option = "data",
              .place = {directory.string()},
              .advice =
                  "a data set is a directory with train, valid and test, each as .txt, .tsv, .csv, "
                  ".json, .jsonl, .nq, .ttl, .trig or .db, plain, .gz or .zst"},
        "there is no train split");
  }
  return found;
}

}  // namespace orrery
