#include "base/directory_lock.h"

#include <gtest/gtest.h>

#include <optional>

#include "orrery/error.h"

namespace orrery {
namespace {

TEST(DirectoryLock, LetsOneInAtATime) {
  const auto directory = std::filesystem::path(testing::TempDir()) / "orrery_locked";
  std::filesystem::create_directories(directory);
  std::optional<DirectoryLock> first(directory);
  EXPECT_THROW(DirectoryLock{directory}, Error);
  first.reset();
  EXPECT_NO_THROW(DirectoryLock{directory});
  std::filesystem::remove(directory);
}

TEST(DirectoryLock, NeedsADirectory) { EXPECT_THROW(DirectoryLock{"/no/such/directory"}, Error); }

}  // namespace
}  // namespace orrery
