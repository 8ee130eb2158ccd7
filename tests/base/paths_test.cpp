#include "base/paths.h"

#include <gtest/gtest.h>

#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

TEST(Paths, WhatIsThereAndWhatIsNot) {
  const testing::ScratchDirectory scratch;
  const auto file = scratch.write("file", "x");
  EXPECT_TRUE(path_exists(file));
  EXPECT_FALSE(is_directory_at(file));
  EXPECT_TRUE(path_exists(scratch.path()));
  EXPECT_TRUE(is_directory_at(scratch.path()));
  for (const auto& absent :
       {scratch.path() / "no", file / "below a file", std::filesystem::path()}) {
    EXPECT_FALSE(path_exists(absent)) << absent;
    EXPECT_FALSE(is_directory_at(absent)) << absent;
  }
}

TEST(Paths, WhatCannotBeToldIsARequestError) {
  const testing::ScratchDirectory scratch;
  const auto circle = scratch.path() / "circle";
  std::filesystem::create_symlink("circle", circle);
  EXPECT_EQ(
      refused([&] { path_exists(circle); }),
      circle.string() + ": cannot be reached (Too many levels of symbolic links); check the path");
  EXPECT_TRUE(contains(refused([&] { is_directory_at(circle / "below"); }), "cannot be reached"));
  EXPECT_TRUE(contains(refused([&] { path_exists(scratch.path() / std::string(300, 'x')); }),
                       "File name too long"));
}

}  // namespace
}  // namespace orrery
