#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/caught.h"

namespace orrery {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("orrery_mapped_file_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

TEST_F(MappedFileTest, ShowsTheBytes) {
  const std::string text = std::string(100'000, 'x') + '\0' + "end";
  EXPECT_EQ(MappedFile(write("a", text)).text(), text);
}

TEST_F(MappedFileTest, ACopyOutlivesWhatIsDoneToTheFile) {
  const std::string text(300'000, 'x');
  const auto path = write("a", text);
  const MappedFile copy(path, FileUse::copied);
  write("a", "cut");
  EXPECT_EQ(copy.text(), text);
  EXPECT_EQ(MappedFile(path, FileUse::copied).text(), "cut");
}

TEST_F(MappedFileTest, AnEmptyFileIsAnEmptySpan) {
  EXPECT_TRUE(MappedFile(write("empty", ""), FileUse::copied).bytes().empty());
  EXPECT_TRUE(MappedFile(write("empty", "")).bytes().empty());
}

TEST_F(MappedFileTest, MovesAndOutlivesTheName) {
  MappedFile first(write("a", "first"));
  MappedFile second(write("b", "second"));
  std::filesystem::remove(folder_ / "a");
  second = std::move(first);
  const MappedFile third(std::move(second));
  EXPECT_EQ(third.text(), "first");
}

TEST_F(MappedFileTest, WhatCannotBeMappedIsARequestError) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const auto& path : {folder_ / "absent", folder_, folder_ / "pipe"}) {
    const Error error = caught([&] { const MappedFile file(path); });
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_EQ(error.place(), Place{path.string()});
    EXPECT_FALSE(error.advice().empty()) << error.what();
  }
}

}  // namespace
}  // namespace orrery
