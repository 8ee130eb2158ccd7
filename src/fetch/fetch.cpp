#include "fetch/fetch.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/paths.h"
#include "base/sha256.h"
#include "facts/byte_source.h"
#include "fetch/translate_ids.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr const char* packings[] = {"", ".gz", ".zst"};
constexpr const char* move_or_elsewhere = "move it away or choose another directory";

bool is_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

bool any_matches(const std::vector<Checksum>& accepted, const FileDigest& digest) {
  return std::any_of(accepted.begin(), accepted.end(),
                     [&](const Checksum& checksum) { return checksum.matches(digest); });
}

std::uint64_t most_bytes(const std::vector<Checksum>& accepted) {
  std::uint64_t most = 0;
  for (const Checksum& checksum : accepted) most = std::max(most, checksum.size.most);
  return most;
}

bool is_regular(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void remove_part(const fs::path& part) {
  std::error_code ignored;
  fs::remove(part, ignored);
}

// The bytes of a file, in a file of ours beside the final ones.
struct Staged {
  fs::path path;
  FileDigest digest;
};

class Fetch {
 public:
  Fetch(const Benchmark& set, fs::path directory, const FetchOptions& options,
        const FetchObserver& observer)
      : set_(set), directory_(std::move(directory)), options_(options), observer_(observer) {}

  std::vector<FetchedFile> run() {
    refuse_rivals();
    std::vector<std::optional<FetchedFile>> files;
    for (const auto& split : set_.splits) files.push_back(already_there(split));
    const bool complete =
        std::all_of(files.begin(), files.end(), [](const auto& file) { return file.has_value(); });
    if (!complete) {
      check_source();
      const bool created = prepare_directory();
      try {
        for (std::size_t i = 0; i < files.size(); ++i) {
          if (!files[i]) files[i] = place(set_.splits[i]);
        }
      } catch (...) {
        std::error_code ignored;
        // A beginning from which the next call goes on is kept, with what is complete beside it.
        if (!fs::exists(growing_, ignored)) remove_staged();
        if (created && fs::is_empty(directory_, ignored)) fs::remove(directory_, ignored);
        throw;
      }
      remove_staged();
    }
    std::vector<FetchedFile> report;
    for (auto& file : files) report.push_back(*std::move(file));
    return report;
  }

 private:
  bool remote() const { return options_.from.empty() || is_url(options_.from); }

  // A second training file beside train.txt would make the directory ambiguous.
  void refuse_rivals() const {
    for (const auto& split : set_.splits) {
      const std::string stem = fs::path(split.name).stem().string();
      for (const char* ending : {"", ".txt", ".tsv", ".csv"}) {
        for (const char* packing : packings) {
          const std::string name = stem + ending + packing;
          if (name != split.name && path_exists(directory_ / name)) {
            fail_request(
                About{.place = {(directory_ / name).string()}, .advice = move_or_elsewhere},
                "is in the way of {}", split.name);
          }
        }
      }
    }
  }

  std::optional<FetchedFile> already_there(const BenchmarkSplit& split) const {
    const fs::path path = directory_ / split.name;
    if (!path_exists(path)) return std::nullopt;
    const FileDigest digest = digest_file(path);
    if (!any_matches(split.finished, digest)) {
      const Checksum& first = split.finished.front();
      fail_request(About{.place = {path.string()}, .advice = move_or_elsewhere},
                   "is there with other content ({}, expected {}) and is left alone",
                   first.describe(digest), first.describe());
    }
    return FetchedFile{split.name, split.facts, digest.bytes, digest.sha256, true};
  }

  void check_source() const {
    if (!remote() && !is_directory_at(options_.from)) {
      fail_request(About{.option = "from",
                         .place = {options_.from},
                         .advice = "an address begins with http:// or https://"},
                   "is not a directory to fetch from");
    }
  }

  // True if it was not there before.
  bool prepare_directory() const {
    std::error_code error;
    const bool created = fs::create_directories(directory_, error);
    if (error)
      fail_request(About{.place = {directory_.string()}}, "cannot be created: {}", error.message());
    return created;
  }

  FetchedFile place(const BenchmarkSplit& split) {
    const bool has_names = set_.id_lists.empty();
    if (remote()) return has_names ? publish(split, stage_download(split.home)) : translate(split);
    std::optional<Error> problem;
    if (const auto staged = stage_finished(split, problem)) return publish(split, *staged);
    if (has_names || !is_local(set_.id_lists.front().name)) throw *problem;
    return translate(split);
  }

  FetchedFile publish(const BenchmarkSplit& split, const Staged& staged) const {
    publish_file(staged.path, directory_ / split.name);
    return {split.name, split.facts, staged.digest.bytes, staged.digest.sha256, false};
  }

  FetchedFile translate(const BenchmarkSplit& split) {
    std::vector<IdNames> lists;
    for (const HomeFile& list : set_.id_lists) lists.emplace_back(stage(list).path, list.name);
    const std::string text =
        translate_ids(stage(split.home).path, split.home.name, lists.at(0), lists.at(1));
    Sha256 hash;
    hash.update(text);
    const FileDigest digest{text.size(), hash.hex_digest(), ""};
    if (!any_matches(split.finished, digest)) {
      fail_broken(About{.place = {split.home.name}, .advice = "please report this"},
                  "with names for ids it has sha256 {}, expected {}", digest.sha256,
                  split.finished.front().describe());
    }
    write_file_atomically(directory_ / split.name, text);
    return {split.name, split.facts, digest.bytes, digest.sha256, false};
  }

  // A file of the home, verified.
  Staged stage(const HomeFile& home) {
    if (remote()) return stage_download(home);
    if (auto staged = staged_already(home)) return *std::move(staged);
    std::optional<Error> problem;
    auto staged = stage_copy({home.name}, {home.checksum}, part_of(home), problem);
    if (!staged) throw *problem;
    return *std::move(staged);
  }

  // The hash in the name keeps the parts of different sets and versions apart.
  fs::path part_of(const HomeFile& home) const {
    return directory_ /
           fmt::format("{}.{}.orrery-part", home.name, home.checksum.expected().substr(0, 12));
  }

  std::optional<Staged> staged_already(const HomeFile& home) const {
    const fs::path part = part_of(home);
    if (!path_exists(part)) return std::nullopt;
    Staged staged{part, digest_file(part)};
    if (!home.checksum.matches(staged.digest)) return std::nullopt;
    return staged;
  }

  Staged stage_download(const HomeFile& home) {
    if (auto staged = staged_already(home)) return *std::move(staged);
    const fs::path part = part_of(home);
    std::string base = options_.from.empty() ? set_.home : options_.from;
    while (base.ends_with('/')) base.pop_back();
    const std::string url = base + "/" + home.name;
    const auto report = [&](std::uint64_t done, std::uint64_t total) {
      if (observer_) observer_({home.name, done, total});
    };
    bool continued = path_exists(part);
    while (true) {
      growing_ = part;
      download(url, part, home.checksum.size, options_.download, report);
      growing_.clear();
      Staged staged{part, digest_file(part)};
      if (home.checksum.matches(staged.digest)) return staged;
      remove_part(part);
      // The beginning from an earlier call may have been the wrong one: once more, from scratch.
      if (std::exchange(continued, false)) continue;
      fail_request(
          About{
              .option = "from", .place = {url}, .advice = "try again, or fetch from another place"},
          "has {}, expected {}; what came was removed", home.checksum.describe(staged.digest),
          home.checksum.describe());
    }
  }

  // A local copy of the finished split.
  std::optional<Staged> stage_finished(const BenchmarkSplit& split,
                                       std::optional<Error>& problem) const {
    const std::string stem = fs::path(split.name).stem().string();
    std::vector<std::string> names = {split.name, stem, stem + ".tsv"};
    if (std::find(names.begin(), names.end(), split.home.name) == names.end()) {
      names.insert(names.begin(), split.home.name);
    }
    return stage_copy(names, split.finished, part_of(split.home), problem);
  }

  // Copies the first of `names` (plain or packed) whose content is accepted; else says why not.
  std::optional<Staged> stage_copy(const std::vector<std::string>& names,
                                   const std::vector<Checksum>& accepted, const fs::path& part,
                                   std::optional<Error>& problem) const {
    problem.emplace(Error::Kind::request,
                    worded("holds no {} (plain, .gz or .zst)", fmt::join(names, " or ")),
                    About{.option = "from", .place = {options_.from}});
    for (const std::string& name : names) {
      for (const char* packing : packings) {
        const fs::path source = fs::path(options_.from) / (name + packing);
        if (!is_regular(source)) continue;
        const std::uint64_t most = most_bytes(accepted);
        if (!copy_unpacked(source, part, most)) {
          remove_part(part);
          problem = not_of_this_set(source, fmt::format("is longer than {} bytes", most));
          continue;
        }
        Staged staged{part, digest_file(part)};
        if (any_matches(accepted, staged.digest)) return staged;
        remove_part(part);
        problem = not_of_this_set(
            source, fmt::format("has {}, expected {}", accepted.front().describe(staged.digest),
                                accepted.front().describe()));
      }
    }
    return std::nullopt;
  }

  Error not_of_this_set(const fs::path& source, const std::string& what_it_is) const {
    return {Error::Kind::request,
            worded("its content {}; it is not what {} is made of", what_it_is, set_.name),
            About{.option = "from", .place = {source.string()}, .advice = "get that file anew"}};
  }

  bool is_local(const std::string& name) const {
    return std::any_of(std::begin(packings), std::end(packings), [&](const char* packing) {
      return is_regular(fs::path(options_.from) / (name + packing));
    });
  }

  // False where more than `most` bytes come out of it: a packed file can be a thousandth of that.
  bool copy_unpacked(const fs::path& source, const fs::path& part, std::uint64_t most) const {
    const auto bytes = open_bytes(source);
    std::ofstream copy(part, std::ios::binary | std::ios::trunc);
    std::vector<char> chunk(1 << 20);
    const std::string name = source.filename().string();
    std::uint64_t done = 0;
    while (const std::size_t size = bytes->read(chunk)) {
      if (size > most - done) return false;
      copy.write(chunk.data(), static_cast<std::streamsize>(size));
      done += size;
      if (observer_) observer_({name, done, 0});
    }
    copy.close();
    if (!copy)
      fail_broken(About{.place = {part.string()}, .advice = "is there room on the disk?"},
                  "writing failed");
    return true;
  }

  void remove_staged() const {
    for (const HomeFile& list : set_.id_lists) remove_part(part_of(list));
    for (const auto& split : set_.splits) remove_part(part_of(split.home));
  }

  const Benchmark& set_;
  fs::path directory_;
  const FetchOptions& options_;
  const FetchObserver& observer_;
  fs::path growing_;  // the file that is being downloaded
};

}  // namespace

std::vector<FetchedFile> fetch_files(const Benchmark& set, const fs::path& directory,
                                     const FetchOptions& options, const FetchObserver& observer) {
  return Fetch(set, directory, options, observer).run();
}

}  // namespace orrery
