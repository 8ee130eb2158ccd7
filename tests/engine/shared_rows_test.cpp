// The leader's reading and writing of rows that others have, when one of them fails.
#include "engine/shared_rows.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thread_group.h"

namespace orrery {
namespace {

// One table of entities, a number a row.
class Numbers final : public RowsHere {
 public:
  explicit Numbers(const RowBlock& own) : own_(own) {
    for (std::int64_t i = 0; i < own.count; ++i)
      numbers_.push_back(static_cast<float>(own.first + i));
  }
  void read_here(std::size_t, State, std::span<float> rows) const override {
    if (fails) fail_broken("a card that fell off");
    std::ranges::copy(numbers_, rows.begin());
  }
  void write_here(std::size_t, State, std::span<const float> all_rows) override {
    if (fails) fail_broken("a card that fell off");
    const auto here = all_rows.subspan(static_cast<std::size_t>(own_.first), numbers_.size());
    std::ranges::copy(here, numbers_.begin());
  }

  bool fails = false;

 private:
  RowBlock own_;
  std::vector<float> numbers_;
};

const std::vector<TableSpec> one_table = {
    {.row = 0, .name = "entity", .of = RowOf::entity, .count = 7, .width = 1}};

TEST(SharedRows, AreReadAndWrittenByTheLeaderAlone) {
  run_as_threads(3, [](Communicator& all) {
    const EntityBlocks blocks(7, &all);
    Numbers numbers(blocks.own());
    SharedRows rows(blocks, one_table, numbers);
    rows.lead([&] {
      std::vector<float> read(7);
      rows.read(0, State::value, read);
      EXPECT_EQ(read, (std::vector<float>{0, 1, 2, 3, 4, 5, 6}));
      for (float& number : read) number += 10;
      rows.write(0, State::value, read);
    });
    std::vector<float> read(7);
    rows.read(0, State::value, read);
    EXPECT_EQ(read, (std::vector<float>{10, 11, 12, 13, 14, 15, 16}));
  });
}

// All end with the sentence of the one that failed, also where the leader goes on without an error.
TEST(SharedRows, AFailureOfAnyIsOneOfAll) {
  for (const bool writes : {false, true})
    for (const int failing : {0, 1, 2})
      run_as_threads(3, [&](Communicator& all) {
        const EntityBlocks blocks(7, &all);
        Numbers numbers(blocks.own());
        numbers.fails = all.rank() == failing;
        SharedRows rows(blocks, one_table, numbers);
        std::string failure;
        bool has_read = false;
        try {
          rows.lead([&] {
            std::vector<float> some(7);
            for (int again = 0; again < 2; ++again)
              if (writes)
                rows.write(0, State::value, some);
              else
                rows.read(0, State::value, some);
            has_read = !writes;
          });
        } catch (const Error& error) {
          failure = error.what();
        }
        const std::string name = failing == 0 ? "" : "rank " + std::to_string(failing) + " of 3: ";
        EXPECT_EQ(failure, name + "a card that fell off") << "rank " << all.rank();
        EXPECT_FALSE(has_read) << "what could not be read would be saved";
        EXPECT_EQ(all.texts("still together").size(), 3U);
      });
}

}  // namespace
}  // namespace orrery
