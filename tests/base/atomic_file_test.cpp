#include "base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest()
      : folder_(fs::temp_directory_path() /
                fmt::format("orrery_atomic_file_{}_{}", getpid(),
                            testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsOnlyWhenCommitted) {
  const fs::path target = folder_ / "model";
  AtomicFile file(target);
  file.write("one\n");
  EXPECT_FALSE(fs::exists(target));
  file.write("two\n");
  file.commit();
  EXPECT_EQ(content(target), "one\ntwo\n");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, LeavesTheOldFileAndNoTemporaryWhenAbandoned) {
  const fs::path target = folder_ / "model";
  write_file_atomically(target, "old");
  {
    AtomicFile file(target);
    file.write("new");
    EXPECT_EQ(content(target), "old");
  }
  EXPECT_EQ(content(target), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, ReplacesAnOldFile) {
  const fs::path target = folder_ / "model";
  write_file_atomically(target, "something rather long");
  write_file_atomically(target, "short");
  EXPECT_EQ(content(target), "short");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, WritesMoreThanItsBuffer) {
  std::string text;
  while (text.size() < 700'000) text += std::to_string(text.size()) + '\n';
  AtomicFile file(folder_ / "big");
  for (std::size_t at = 0; at < text.size(); at += 99'991) {
    file.write(std::string_view(text).substr(at, 99'991));
  }
  file.commit();
  EXPECT_EQ(content(folder_ / "big"), text);
}

TEST_F(AtomicFileTest, PiecesOfAnySizeStayInOrder) {
  const std::size_t buffer = 1 << 18;
  std::string text;
  AtomicFile file(folder_ / "pieces");
  for (const std::size_t size : {std::size_t{1}, buffer - 1, std::size_t{1}, buffer, buffer + 1,
                                 std::size_t{0}, std::size_t{7}, 3 * buffer, std::size_t{2}}) {
    const std::string piece(size, static_cast<char>('a' + text.size() % 23));
    file.write(piece);
    text += piece;
  }
  file.commit();
  EXPECT_TRUE(content(folder_ / "pieces") == text);
}

// The limit on the size of files stands for a full disk: the first write is short, the next fails.
TEST_F(AtomicFileTest, WhereThereIsNoRoomTheOldFileStays) {
  const fs::path target = folder_ / "model";
  write_file_atomically(target, "old");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    int code = 0;
    try {
      write_file_atomically(target, std::string(1 << 20, 'x'));
    } catch (const Error& error) {
      const std::string message = error.what();
      code = message.find("too large") != message.npos &&
                     message.find("make room") != message.npos &&
                     message.find("left as it was") != message.npos
                 ? 17
                 : 1;
    }
    _exit(code);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 17);
  EXPECT_EQ(content(target), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, HonoursTheUsersMask) {
  write_file_atomically(folder_ / "model", "");
  std::ofstream(folder_ / "plain");
  EXPECT_EQ(fs::status(folder_ / "model").permissions(),
            fs::status(folder_ / "plain").permissions());
}

TEST_F(AtomicFileTest, MissingDirectoryIsARequestError) {
  try {
    AtomicFile file(folder_ / "nowhere" / "model");
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_NE(std::string(error.what()).find("nowhere/model"), std::string::npos);
  }
}

TEST_F(AtomicFileTest, TargetThatCannotBeReplacedLeavesNothingBehind) {
  fs::create_directories(folder_ / "model" / "inside");
  EXPECT_THROW(write_file_atomically(folder_ / "model", "text"), Error);
  EXPECT_EQ(entries(), 1);
  EXPECT_TRUE(fs::is_directory(folder_ / "model"));
}

// A save that is killed: the process ends with the file half written.
TEST_F(AtomicFileTest, WhatAKilledSaveLeavesIsRemoved) {
  const fs::path target = folder_ / "model.safetensors";
  write_file_atomically(target, "old");
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(target);
    file.write(std::string(1 << 20, 'x'));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(entries(), 2);
  remove_stale_temporaries(folder_);
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(content(target), "old");
}

TEST_F(AtomicFileTest, OnlyItsOwnTemporariesAreStale) {
  for (const auto* kept :
       {"notes.tmp", ".orrery-1-2.tmp", ".model.orrery-1-2", ".model.orrery-1.tmp", ".orrery-x.tmp",
        ".model.orrery-one-2.tmp", ".model.orrery--.tmp", "model.orrery-1-2.tmp",
        ".model.orrery-1-2.tmp.bak", ".model.orrery-1-2-3.tmp"})
    std::ofstream(folder_ / kept) << "mine";
  fs::create_directories(folder_ / ".folder.orrery-1-2.tmp");
  fs::create_symlink("notes.tmp", folder_ / ".link.orrery-1-2.tmp");
  fs::create_directories(folder_ / "below");
  std::ofstream(folder_ / "below" / ".model.orrery-1-2.tmp");
  const auto before = entries();
  std::ofstream(folder_ / ".model.safetensors.orrery-4711-0.tmp") << "ours";
  std::ofstream(folder_ / ".a.orrery-1-1.tmp.orrery-1-4294967295.tmp") << "ours";
  remove_stale_temporaries(folder_);
  EXPECT_EQ(entries(), before);
  EXPECT_TRUE(fs::exists(folder_ / "below" / ".model.orrery-1-2.tmp"));
  EXPECT_NO_THROW(remove_stale_temporaries(folder_ / "nowhere"));
}

}  // namespace
}  // namespace orrery
