#include "base/communicator.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "base/processes.h"
#include "base/thread_group.h"

namespace orrery {
namespace {

TEST(Communicator, SumsInTheOrderOfTheProcesses) {
  for (const int size : {1, 2, 3, 5})
    for (const std::size_t length : {0U, 1U, 2U, 7U, 1000U})
      run_as_threads(size, [&](Communicator& others) {
        std::vector<float> values(length);
        for (std::size_t i = 0; i < length; ++i)
          values[i] = 0.1F * static_cast<float>(i + 1) * static_cast<float>(others.rank() + 1);
        others.sum(values);
        for (std::size_t i = 0; i < length; ++i) {
          float wanted = 0.1F * static_cast<float>(i + 1);
          for (int r = 1; r < size; ++r)
            wanted += 0.1F * static_cast<float>(i + 1) * static_cast<float>(r + 1);
          EXPECT_EQ(values[i], wanted);
        }
      });
}

TEST(Communicator, GathersPartsOfAnyLength) {
  run_as_threads(4, [](Communicator& others) {
    const std::vector<std::size_t> counts = {2, 0, 3, 1};
    const std::vector<int> own(counts[static_cast<std::size_t>(others.rank())], others.rank());
    std::vector<int> all(6);
    others.gather(std::span<const int>(own), counts, std::span<int>(all));
    EXPECT_EQ(all, (std::vector<int>{0, 0, 2, 2, 2, 3}));
  });
}

TEST(Communicator, TellsAndDecides) {
  run_as_threads(3, [](Communicator& others) {
    EXPECT_EQ(others.told_by_leader(others.leads() ? "seven words" : "nothing"), "seven words");
    EXPECT_EQ(others.told_by_leader(""), "");
    EXPECT_FALSE(others.decided_by_leader(!others.leads()));
    EXPECT_TRUE(others.any(others.rank() == 2));
    EXPECT_FALSE(others.any(false));
  });
}

TEST(Communicator, SharesTheLeadersValuesAndEverybodysTexts) {
  run_as_threads(3, [](Communicator& others) {
    std::vector<int> values(5, others.rank() + 1);
    others.share(std::span<int>(values));
    EXPECT_EQ(values, std::vector<int>(5, 1));
    const std::string own(static_cast<std::size_t>(2 * others.rank()), 'x');
    EXPECT_EQ(others.texts(own), (std::vector<std::string>{"", "xx", "xxxx"}));
    EXPECT_EQ(others.any_of(others.rank() == 1 ? 4U : 1U), 5U);
  });
}

TEST(Communicator, CountsWhatIsSent) {
  run_as_threads(4, [](Communicator& others) {
    std::vector<float> values(1000, 1.0F);
    others.sum(values);
    EXPECT_EQ(others.bytes_sent(), 2 * 3 * 250 * sizeof(float));
  });
}

TEST(Communicator, OneThatFailsEndsTheOthersByName) {
  try {
    run_as_threads(3, [](Communicator& others) {
      if (others.rank() == 1) fail_request("no room");
      try {
        others.any(false);
        ADD_FAILURE() << "waited for nobody";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("rank 1 of 3"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("no room"), std::string::npos);
        throw;
      }
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no room"), std::string::npos);
  }
}

TEST(Communicator, ThreadsAreOnOneMachineInTheOrderOfTheirRanks) {
  run_as_threads(3, [](Communicator& others) {
    EXPECT_EQ(sharers_of_machine(others), 3);
    EXPECT_EQ(rank_on_machine(others), others.rank());
  });
}

TEST(RowBlocks, CoverAllRowsEvenly) {
  for (const std::int64_t rows : {1, 7, 23, 1000003})
    for (const int size : {1, 2, 3, 4, 7}) {
      std::int64_t next = 0;
      for (int rank = 0; rank < size; ++rank) {
        const RowBlock block = block_of(rows, rank, size);
        EXPECT_EQ(block.first, next);
        EXPECT_LE(block.count, rows / size + 1);
        EXPECT_GE(block.count, rows / size);
        next += block.count;
      }
      EXPECT_EQ(next, rows);
    }
}

}  // namespace
}  // namespace orrery
