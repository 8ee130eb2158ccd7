#include "base/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

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

}  // namespace
}  // namespace orrery
