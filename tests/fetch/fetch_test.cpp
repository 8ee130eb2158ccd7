// Fetching from a local directory, and what is kept, refused and cleaned away.
#include "fetch/fetch.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "fetch/world.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

void put_gzip(const fs::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

std::string zstd_of(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

class FetchFromDirectory : public FetchWorld {
 protected:
  FetchFromDirectory() {
    fs::create_directories(source_);
    options_.from = source_.string();
  }
  void put_home_files() {
    put(source_ / "tiny_train.txt", train_);
    put(source_ / "tiny_valid.txt", valid_);
    put(source_ / "tiny_test.txt", test_);
  }
  void put_id_files() {
    put(source_ / "entity2id.txt", entity_ids_);
    put(source_ / "relation2id.txt", relation_ids_);
    for (const char* split : {"train", "valid", "test"}) put(source_ / split, id_facts_);
  }

  fs::path source_ = scratch_ / "source";
  FetchOptions options_;
};

TEST_F(FetchFromDirectory, TakesFilesUnderTheirHomeNames) {
  put_home_files();
  const auto files = fetch_files(named_set(), target_, options_);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].name, "train.txt");
  EXPECT_EQ(files[0].facts, 20'000U);
  EXPECT_EQ(files[0].bytes, train_.size());
  EXPECT_EQ(files[0].sha256, sha256_of(train_));
  EXPECT_FALSE(files[0].was_there);
  EXPECT_EQ(content(target_ / "train.txt"), train_);
  EXPECT_EQ(content(target_ / "valid.txt"), valid_);
  EXPECT_EQ(content(target_ / "test.txt"), test_);
  EXPECT_EQ(entries(target_), 3U);
}

TEST_F(FetchFromDirectory, TakesPackedSplits) {
  put(source_ / "train.txt.zst", zstd_of(train_));
  put_gzip(source_ / "valid.tsv.gz", valid_);
  put(source_ / "test", test_);
  fetch_files(named_set(), target_, options_);
  EXPECT_EQ(content(target_ / "train.txt"), train_);
  EXPECT_EQ(content(target_ / "valid.txt"), valid_);
  EXPECT_EQ(content(target_ / "test.txt"), test_);
}

TEST_F(FetchFromDirectory, TakesAnyAcceptedVersion) {
  put_home_files();
  const std::string sorted = long_text("sorted", 7);
  put(source_ / "tiny_train.txt", sorted);
  Benchmark set = named_set();
  set.splits[0].finished.push_back(by_sha256(sorted));
  fetch_files(set, target_, options_);
  EXPECT_EQ(content(target_ / "train.txt"), sorted);
}

TEST_F(FetchFromDirectory, SecondCallVerifiesAndDoesNothing) {
  put_home_files();
  fetch_files(named_set(), target_, options_);
  fs::remove_all(source_);
  const auto time = fs::last_write_time(target_ / "train.txt");
  for (const auto& file : fetch_files(named_set(), target_, options_)) {
    EXPECT_TRUE(file.was_there);
  }
  EXPECT_EQ(fs::last_write_time(target_ / "train.txt"), time);
}

TEST_F(FetchFromDirectory, CompletesWhatIsMissing) {
  put_home_files();
  put(target_ / "valid.txt", valid_);
  const auto files = fetch_files(named_set(), target_, options_);
  EXPECT_FALSE(files[0].was_there);
  EXPECT_TRUE(files[1].was_there);
  EXPECT_EQ(entries(target_), 3U);
}

TEST_F(FetchFromDirectory, LeavesOtherContentAlone) {
  put_home_files();
  put(target_ / "valid.txt", "my own facts\n");
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("valid.txt: is there with other content"), std::string::npos) << message;
  EXPECT_NE(message.find(sha256_of(valid_)), std::string::npos) << message;
  EXPECT_EQ(content(target_ / "valid.txt"), "my own facts\n");
  EXPECT_EQ(entries(target_), 1U);
}

TEST_F(FetchFromDirectory, RefusesADirectoryThatWouldBecomeAmbiguous) {
  put_home_files();
  put(target_ / "train.csv.gz", "mine");
  EXPECT_NE(failure(named_set(), options_).find("train.csv.gz"), std::string::npos);
  EXPECT_EQ(entries(target_), 1U);
}

TEST_F(FetchFromDirectory, WrongContentNamesBothHashesAndLeavesNothing) {
  put_home_files();
  put(source_ / "tiny_train.txt", "damaged");
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("tiny_train.txt"), std::string::npos) << message;
  EXPECT_NE(message.find(git_blob_of("damaged")), std::string::npos) << message;
  EXPECT_NE(message.find(git_blob_of(train_)), std::string::npos) << message;
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchFromDirectory, DamagedPackingLeavesNothing) {
  put_home_files();
  fs::remove(source_ / "tiny_train.txt");
  const std::string packed = zstd_of(train_);
  put(source_ / "train.txt.zst", packed.substr(0, packed.size() / 2));
  EXPECT_NE(failure(named_set(), options_).find("train.txt.zst"), std::string::npos);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchFromDirectory, NoMoreIsUnpackedThanTheFileHas) {
  put_home_files();
  const std::string bomb(8 << 20, 'x');
  for (const std::string ending : {"", ".gz", ".zst"}) {
    SCOPED_TRACE(ending);
    fs::remove(source_ / "tiny_train.txt");
    const fs::path file = source_ / ("train.txt" + ending);
    if (ending == ".gz") put_gzip(file, bomb);
    if (ending == ".zst") put(file, zstd_of(bomb));
    if (ending.empty()) put(file, bomb);
    std::uint64_t most = 0;
    const std::string message = failure(named_set(), options_, [&](const FetchProgress& progress) {
      most = std::max(most, progress.done);
    });
    EXPECT_NE(message.find(file.string() + ": its content is longer than"), std::string::npos)
        << message;
    EXPECT_LE(most, train_.size());
    EXPECT_FALSE(fs::exists(target_));
    fs::remove(file);
  }
}

TEST_F(FetchFromDirectory, AFileTooLongIsPassedByForOneThatIsRight) {
  put_home_files();
  put(source_ / "tiny_train.txt", train_ + "and more");
  put(source_ / "train.txt", train_);
  fetch_files(named_set(), target_, options_);
  EXPECT_EQ(content(target_ / "train.txt"), train_);
}

TEST_F(FetchFromDirectory, PathsThatCannotBeReachedAreRefusedInWords) {
  put_home_files();
  fs::create_symlink("loop", scratch_ / "loop");
  target_ = scratch_ / "loop";
  EXPECT_NE(failure(named_set(), options_).find("loop/train: cannot be reached"),
            std::string::npos);
  target_ = scratch_ / std::string(300, 'x');
  EXPECT_NE(failure(named_set(), options_).find("cannot be reached"), std::string::npos);
  target_ = scratch_ / "set";
  options_.from = (scratch_ / "loop").string();
  EXPECT_NE(failure(named_set(), options_).find("loop: cannot be reached"), std::string::npos);
}

TEST_F(FetchFromDirectory, AFolderOrAPipeInThePlaceOfASplitIsRefused) {
  put_home_files();
  fs::create_directories(target_ / "train.txt");
  EXPECT_NE(failure(named_set(), options_).find("train.txt: is not a regular file"),
            std::string::npos);
  fs::remove(target_ / "train.txt");
  ASSERT_EQ(mkfifo((target_ / "train.txt").c_str(), 0600), 0);
  EXPECT_NE(failure(named_set(), options_).find("train.txt: is not a regular file"),
            std::string::npos);
}

TEST_F(FetchFromDirectory, MissingFilesAreNamed) {
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("tiny_train.txt"), std::string::npos) << message;
  options_.from = (scratch_ / "nowhere").string();
  const Error error = caught([&] { fetch_files(named_set(), target_, options_); });
  EXPECT_EQ(error.option(), "from");
  EXPECT_EQ(error.place(), Place{options_.from});
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchFromDirectory, IdsBecomeNames) {
  put_id_files();
  fetch_files(id_set(), target_, options_);
  for (const char* split : {"train.txt", "valid.txt", "test.txt"}) {
    EXPECT_EQ(content(target_ / split), named_facts_);
  }
  EXPECT_EQ(entries(target_), 3U);
}

TEST_F(FetchFromDirectory, FinishedCopiesOfAnIdSetNeedNoLists) {
  for (const char* split : {"train", "valid", "test"}) {
    put(source_ / (std::string(split) + ".txt.zst"), zstd_of(named_facts_));
  }
  fetch_files(id_set(), target_, options_);
  EXPECT_EQ(content(target_ / "train.txt"), named_facts_);
  EXPECT_EQ(entries(target_), 3U);
}

TEST_F(FetchFromDirectory, WrongIdFilesLeaveNothing) {
  put_id_files();
  put(source_ / "train", "1\t0\t0\t1900\t1901\n");
  EXPECT_NE(failure(id_set(), options_).find(sha256_of(id_facts_)), std::string::npos);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchFromDirectory, WrongFinishedCopyOfAnIdSetIsWhatTheErrorNames) {
  put(source_ / "train.txt", "other facts\n");
  const std::string message = failure(id_set(), options_);
  EXPECT_NE(message.find(sha256_of("other facts\n")), std::string::npos) << message;
}

TEST_F(FetchFromDirectory, ReportsProgress) {
  put_home_files();
  std::vector<std::string> seen;
  std::uint64_t last = 0;
  fetch_files(named_set(), target_, options_, [&](const FetchProgress& progress) {
    if (seen.empty() || seen.back() != progress.file) seen.emplace_back(progress.file);
    if (progress.file == "tiny_test.txt") last = progress.done;
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"tiny_train.txt", "tiny_valid.txt", "tiny_test.txt"}));
  EXPECT_EQ(last, test_.size());
}

}  // namespace
}  // namespace orrery
