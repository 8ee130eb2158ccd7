// What the tests of fetching share: a scratch folder and small sets with hashes of their own.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/caught.h"
#include "base/sha1.h"
#include "base/sha256.h"
#include "fetch/catalogue.h"
#include "fetch/fetch.h"

namespace orrery {

inline std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex_digest();
}

inline std::string git_blob_of(std::string_view text) {
  Sha1 hash;
  hash.update(fmt::format("blob {}", text.size()));
  hash.update(std::string_view("\0", 1));
  hash.update(text);
  return hash.hex_digest();
}

inline Checksum by_sha256(std::string_view text) { return {sha256_of(text), "", {text.size()}}; }
inline Checksum by_git_blob(std::string_view text) {
  return {"", git_blob_of(text), {text.size()}};
}

inline std::string long_text(std::string_view word, int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += fmt::format("{} {}\tmeets\tb\t2014-01-01\n", word, i);
  return text;
}

class FetchWorld : public ::testing::Test {
 protected:
  FetchWorld()
      : scratch_(std::filesystem::temp_directory_path() /
                 fmt::format("orrery_fetch_{}_{}", getpid(), counter_++)),
        target_(scratch_ / "set") {
    std::filesystem::create_directories(scratch_);
  }
  ~FetchWorld() override { std::filesystem::remove_all(scratch_); }

  static std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void put(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::size_t entries(const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder)) return 0;
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                  std::filesystem::directory_iterator()));
  }
  std::vector<std::filesystem::path> parts() const {
    std::vector<std::filesystem::path> found;
    if (!std::filesystem::exists(target_)) return found;
    for (const auto& entry : std::filesystem::directory_iterator(target_)) {
      if (entry.path().extension() == ".orrery-part") found.push_back(entry.path());
    }
    return found;
  }

  // The message of the request Error that fetching must end with.
  std::string failure(const Benchmark& set, const FetchOptions& options,
                      const FetchObserver& observer = {}) {
    const Error error = caught([&] { fetch_files(set, target_, options, observer); });
    EXPECT_EQ(error.kind(), Error::Kind::request) << error.what();
    return error.what();
  }

  // Used as served; the training file is known by its git blob alone.
  Benchmark named_set() const {
    Benchmark set;
    set.name = "tiny";
    const Checksum train = by_git_blob(train_);
    const Checksum valid = by_sha256(valid_);
    const Checksum test = by_sha256(test_);
    set.splits = {{"train.txt", {"tiny_train.txt", train}, 20'000, {train}},
                  {"valid.txt", {"tiny_valid.txt", valid}, 10, {valid}},
                  {"test.txt", {"tiny_test.txt", test}, 5, {test}}};
    return set;
  }

  // Served with ids, which become names.
  Benchmark id_set() const {
    Benchmark set;
    set.name = "tiny-ids";
    const auto split = [&](const std::string& name) {
      return BenchmarkSplit{
          name + ".txt", {name, by_sha256(id_facts_)}, 2, {by_sha256(named_facts_)}};
    };
    set.splits = {split("train"), split("valid"), split("test")};
    set.id_lists = {{"entity2id.txt", by_sha256(entity_ids_)},
                    {"relation2id.txt", by_sha256(relation_ids_)}};
    return set;
  }

  inline static int counter_ = 0;
  std::filesystem::path scratch_, target_;
  std::string train_ = long_text("a", 20'000), valid_ = long_text("v", 10),
              test_ = long_text("t", 5);
  std::string entity_ids_ = "<Ann>\t1\t1900\t1950\n<Bob \u00a0>\t0\t1901\t1960\n";
  std::string relation_ids_ = "<knows>\t0\n";
  std::string id_facts_ = "1\t0\t0\t19##-##-##\t####-##-##\n0\t0\t1\t-431-##-##\t1914-01-02\n";
  std::string named_facts_ =
      "<Ann>\t<knows>\t<Bob \u00a0>\t19##-##-##\t####-##-##\n"
      "<Bob \u00a0>\t<knows>\t<Ann>\t-431-##-##\t1914-01-02\n";
};

}  // namespace orrery
