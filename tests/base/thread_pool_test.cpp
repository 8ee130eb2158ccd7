#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

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

}  // namespace
}  // namespace orrery
