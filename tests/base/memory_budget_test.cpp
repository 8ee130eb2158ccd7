#include "base/memory_budget.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/caught.h"

namespace orrery {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

TEST(ParseMemory, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_memory("4G"), 4 * gib);
  EXPECT_EQ(parse_memory("512M"), 512 * mib);
  EXPECT_EQ(parse_memory("1.5GiB"), 3 * gib / 2);
  EXPECT_EQ(parse_memory("800MB"), 800'000'000U);
  EXPECT_EQ(parse_memory("2gb"), 2'000'000'000U);
  EXPECT_EQ(parse_memory("2gib"), 2 * gib);
  EXPECT_EQ(parse_memory("16 k"), 16 * kib);
  EXPECT_EQ(parse_memory("3KB"), 3000U);
  EXPECT_EQ(parse_memory(".5K"), 512U);
  EXPECT_EQ(parse_memory("1T"), 1024 * gib);
  EXPECT_EQ(parse_memory("4096B"), 4096U);
}

TEST(ParseMemory, RefusesTheRestAndSaysHow) {
  for (const char* text :
       {"",    "G",   "-4G",   "+4G",       "4",  "4X", "4GG",     "4GiBs",        "1e3M",
        "nan", "inf", "infG",  "1.2.3G",    ".G", "0G", "0.0001B", "99999999999T", "4  G",
        "4G ", " 4G", "0x10M", "4\xc2\xa0G"}) {
    const Error error = caught([&] { parse_memory(text); });
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_EQ(error.option(), "memory");
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
  }
  const std::string huge(400, '9');
  EXPECT_THROW(parse_memory(huge + "G"), Error);
}

TEST(FormatMemory, IsShort) {
  EXPECT_EQ(format_memory(0), "0 B");
  EXPECT_EQ(format_memory(1023), "1023 B");
  EXPECT_EQ(format_memory(1024), "1.0 KiB");
  EXPECT_EQ(format_memory(gib - 1), "1.0 GiB");
  EXPECT_EQ(format_memory(1717986918), "1.6 GiB");
  EXPECT_EQ(format_memory(~std::uint64_t{0}), "16.0 EiB");
}

// A "/" of our own with the files the kernel would show.
class AvailableMemory : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) /
            ("orrery_memory_budget_" + std::to_string(::getpid()));
    write("proc/meminfo", "MemTotal:  9000000 kB\nMemFree: 1 kB\nMemAvailable:    4000000 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }

  std::filesystem::path root_;
};

TEST_F(AvailableMemory, WithoutGroupsIsTheKernelsFigure) {
  EXPECT_EQ(available_memory(root_), 4'000'000 * kib);
  EXPECT_EQ(default_memory_budget(root_), 3'000'000 * kib);
}

TEST_F(AvailableMemory, TheNarrowestGroupOfVersionTwoCounts) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/memory.max", "1000000\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_EQ(available_memory(root_), 1'000'000U);
}

TEST_F(AvailableMemory, VersionOneInsideAContainerShowsOnlyItsTop) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/box/1\n4:hugetlb,memory:/box/1\nnonsense\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
  EXPECT_EQ(available_memory(root_), 2'000'000U);
}

TEST_F(AvailableMemory, AnUnlimitedGroupChangesNothing) {
  write("proc/self/cgroup", "4:memory:/\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(available_memory(root_), 4'000'000 * kib);
}

TEST_F(AvailableMemory, ThePeakIsTheKernelsFigure) {
  write("proc/self/status", "Name:\tx\nVmPeak:\t 9 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n");
  EXPECT_EQ(PeakMemory(root_).bytes(), std::nullopt);  // since the start, which is not asked for
  EXPECT_FALSE(std::filesystem::exists(root_ / "proc/self/clear_refs"));
  write("proc/self/clear_refs", "");
  EXPECT_EQ(PeakMemory(root_).bytes(), 2 * mib);
}

TEST_F(AvailableMemory, ThePeakOfThisProcessCountsAnew) {
  const PeakMemory from_here;
  const auto before = from_here.bytes();
  if (!std::filesystem::exists("/proc/self/clear_refs"))
    GTEST_SKIP() << "this kernel does not count anew";
  ASSERT_TRUE(before);
  constexpr std::size_t size = 128 * mib;  // past any allocator, which might keep it
  void* large = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(large, MAP_FAILED);
  std::memset(large, 1, size);
  ::munmap(large, size);
  EXPECT_GT(*from_here.bytes(), size);
  EXPECT_LT(*PeakMemory().bytes(), *before + size / 2);
}

TEST_F(AvailableMemory, ThisMachineHasSome) {
  EXPECT_GT(default_memory_budget(), mib);
  EXPECT_GT(available_memory(root_ / "nothing here"), mib);
}

}  // namespace
}  // namespace orrery
