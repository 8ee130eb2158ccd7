#include "base/held_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "base/caught.h"

namespace orrery {
namespace {

class Held : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  std::filesystem::path write(const std::string& name) const {
    std::ofstream(at(name)) << "text";
    return at(name);
  }
  static bool refused(const std::filesystem::path& path, const std::string& reason,
                      HeldDirectory (*hold)(const std::filesystem::path&) = HeldDirectory::make) {
    try {
      hold(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::request);
      return std::string(error.what()).find(reason) != std::string::npos;
    }
    return false;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("orrery_held_" + std::to_string(getpid()));
};

TEST_F(Held, WhatIsMadeAndLeftEmptyIsRemovedAgain) {
  { const auto held = HeldDirectory::make(at("outer/inner/run")); }
  EXPECT_FALSE(std::filesystem::exists(at("outer")));
  std::filesystem::create_directory(at("outer"));
  { const auto held = HeldDirectory::make(at("outer/inner")); }
  EXPECT_TRUE(std::filesystem::exists(at("outer")));
  EXPECT_FALSE(std::filesystem::exists(at("outer/inner")));
  { const auto held = HeldDirectory::make(at("outer")); }  // it was there before
  EXPECT_TRUE(std::filesystem::exists(at("outer")));
}

TEST_F(Held, WhatHoldsSomethingStays) {
  {
    const auto held = HeldDirectory::make(at("outer/inner"));
    write("outer/inner/file");
  }
  EXPECT_TRUE(std::filesystem::exists(at("outer/inner/file")));
}

TEST_F(Held, LetsOneInAtATimeAlsoAfterAMove) {
  {
    auto first = HeldDirectory::make(at("run"));
    const HeldDirectory moved = std::move(first);
    EXPECT_TRUE(refused(at("run"), "another process"));
    EXPECT_TRUE(refused(at("run"), "another process", HeldDirectory::existing));
  }
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST_F(Held, WhatCannotBeADirectoryIsRefused) {
  EXPECT_TRUE(refused(write("file"), "is a file"));
  EXPECT_EQ(caught([&] { HeldDirectory::make(at("file")); }).option(), "out");
  EXPECT_TRUE(refused(at("file/run"), "cannot be made"));
  EXPECT_TRUE(refused(at(std::string(300, 'x')), "cannot be made (File name too long)"));
  std::filesystem::create_symlink("loop", at("loop"));
  EXPECT_TRUE(refused(at("loop"), "Too many levels of symbolic links"));
  EXPECT_TRUE(refused(at("loop/run"), "Too many levels of symbolic links"));
  EXPECT_TRUE(refused(at("none"), "cannot be opened", HeldDirectory::existing));
}

TEST_F(Held, WhatKilledSavesLeftIsRemoved) {
  std::filesystem::create_directory(at("run"));
  const auto left = write("run/.model.safetensors.orrery-123-4.tmp");
  const auto own = write("run/notes.tmp");
  { const auto held = HeldDirectory::make(at("run")); }
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(own));
}

// Whoever holds it finds it there, though others make and remove it all the time.
TEST_F(Held, AHeldDirectoryIsNeverRemovedByAnother) {
  std::atomic<int> held = 0, missing = 0;
  const auto work = [&] {
    for (int i = 0; i < 200; ++i) {
      try {
        const auto mine = HeldDirectory::make(at("outer/run"));
        ++held;
        if (!std::filesystem::is_directory(at("outer/run"))) ++missing;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::request) << error.what();
      }
    }
  };
  std::thread first(work), second(work), third(work);
  first.join();
  second.join();
  third.join();
  EXPECT_GT(held, 0);
  EXPECT_EQ(missing, 0);
}

}  // namespace
}  // namespace orrery
