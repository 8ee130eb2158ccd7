// Sums and gathers by NCCL against those by way of the host, and what happens when one is gone.
#include "engine/cuda/direct_link.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "base/thread_group.h"
#include "emulated_gpu/hanging_streams.h"
#include "engine/cuda/exchange.h"

namespace orrery::cuda {
namespace {

class DirectLinks : public ::testing::Test {
 protected:
  void SetUp() override { setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 1); }
  void TearDown() override {
    unsetenv("NCCL_MULTI_RANK_GPU_ENABLE");
    emulated_gpu::streams_hang() = false;
  }
};

std::vector<float> numbers_of(int rank, std::size_t count) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<float>(
        random_normal(static_cast<std::uint64_t>(rank) + 1, static_cast<std::uint64_t>(i)));
  return numbers;
}

// Fewer numbers than processes, an odd number, and more than are summed at once.
TEST_F(DirectLinks, SumsHaveTheBitsOfTheHost) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{1001}, std::size_t{9'000'001}})
    run_as_threads(3, [&](Communicator& others) {
      Exchange by_host(&others, false), direct(&others, true);
      EXPECT_FALSE(by_host.is_direct());
      EXPECT_TRUE(direct.is_direct());
      std::vector<float> wanted = numbers_of(others.rank(), count), found = wanted;
      by_host.sum(wanted.data(), count, nullptr);
      direct.sum(found.data(), count, nullptr);
      EXPECT_EQ(std::memcmp(found.data(), wanted.data(), count * sizeof(float)), 0) << count;
      direct.end(nullptr);
    });
}

TEST_F(DirectLinks, GatherPartsOfAnyLength) {
  const std::vector<std::size_t> counts = {3, 0, 1, 7};
  run_as_threads(4, [&](Communicator& others) {
    Exchange direct(&others, true);
    std::vector<int> all(11, -1), wanted(11);
    std::iota(wanted.begin(), wanted.end(), 100);
    const auto me = static_cast<std::size_t>(others.rank());
    const auto first = std::accumulate(counts.begin(), counts.begin() + others.rank(), 0UL);
    for (std::size_t i = 0; i < counts[me]; ++i) all[first + i] = wanted[first + i];
    const std::uint64_t before = others.bytes_sent();
    direct.gather(all.data(), counts, nullptr);
    EXPECT_EQ(all, wanted);
    EXPECT_EQ(others.bytes_sent() - before, counts[me] * sizeof(int) * 3);
    direct.end(nullptr);
  });
}

// Its stream would never end.
TEST_F(DirectLinks, WhoWaitsForOneThatHasEndedFails) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_THROW(run_as_threads(2,
                              [&](Communicator& others) {
                                Exchange direct(&others, true);
                                emulated_gpu::streams_hang() = true;
                                if (others.rank() == 1) fail_broken("a card that fell off");
                                direct.settle(nullptr);
                              }),
               Error);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));
}

TEST_F(DirectLinks, AreRefusedWhereTheyCannotBe) {
  unsetenv("NCCL_MULTI_RANK_GPU_ENABLE");
  const auto connect = [](bool (*directly)(int rank)) {
    try {
      run_as_threads(2, [&](Communicator& others) {
        const Exchange exchange(&others, directly(others.rank()));
      });
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(connect([](int) { return true; }).find("2 processes have the GPU"), std::string::npos);
  EXPECT_NE(connect([](int rank) { return rank == 1; }).find("rank 1 of 2"), std::string::npos);
}

}  // namespace
}  // namespace orrery::cuda
