#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "orrery/error.h"

namespace orrery {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t tasks : {0U, 1U, 3U, 1000U}) {
      std::vector<std::atomic<int>> seen(tasks);
      pool.run(tasks, [&](std::size_t i) { ++seen[i]; });
      for (const auto& count : seen) EXPECT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, CutsRangesByTheGrain) {
  ThreadPool pool(3);
  std::vector<int> cover(103);
  std::atomic<int> pieces = 0;
  parallel_for(pool, cover.size(), 10, [&](std::size_t begin, std::size_t end) {
    EXPECT_LE(end - begin, 10U);
    ++pieces;
    for (std::size_t i = begin; i < end; ++i) ++cover[i];
  });
  EXPECT_EQ(pieces, 11);
  EXPECT_EQ(cover, std::vector<int>(103, 1));
}

TEST(ThreadPool, RethrowsAndStaysUsable) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.run(10,
                        [](std::size_t i) {
                          if (i == 4) throw std::runtime_error("four");
                        }),
               std::runtime_error);
  std::atomic<int> done = 0;
  pool.run(10, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
}

// Room for the stacks of some threads, not of all. In a child process: there is no way back.
void start_too_many() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * 4096 + (rlim_t{100} << 20);
  const rlimit address_space{limit, limit};
  setrlimit(RLIMIT_AS, &address_space);
  try {
    const ThreadPool pool(1000);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(error.kind() == Error::Kind::broken ? 0 : 1);
  }
  std::exit(1);
}

TEST(ThreadPoolDeathTest, SaysHowManyThreadsCouldBeStarted) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer does not live with bounded memory";
#endif
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(start_too_many(), ::testing::ExitedWithCode(0),
              "only [0-9]+ of 1000 threads could be started; take a smaller --threads");
}

}  // namespace
}  // namespace orrery
