#include "base/agreement.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thread_group.h"

namespace orrery {
namespace {

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Agreement, WhatFailsInOneProcessFailsInAllByName) {
  run_as_threads(3, [](Communicator& others) {
    EXPECT_EQ(failure_of([&] { together(&others, [] {}); }), "");
    EXPECT_EQ(failure_of([&] {
                together(&others, [&] {
                  if (others.rank() > 0) fail_request("no room at {}", others.rank());
                });
              }),
              "rank 1 of 3: no room at 1");
    EXPECT_EQ(failure_of([&] {
                together(&others, [&] {
                  if (others.rank() == 2) throw std::bad_alloc();
                });
              }),
              "rank 2 of 3: out of memory");
  });
}

TEST(Agreement, TheLeaderFailsInItsOwnWords) {
  run_as_threads(3, [](Communicator& others) {
    int done = 0;
    try {
      by_leader(&others, [&] {
        ++done;
        fail_request(About{.option = "dim", .advice = "take another"}, "no");
      });
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "no; take another");
      EXPECT_EQ(error.kind(), Error::Kind::request);
      EXPECT_EQ(error.option(), others.leads() ? "dim" : "");
    }
    EXPECT_EQ(done, others.leads() ? 1 : 0);
    // They are still in step.
    EXPECT_EQ(others.any_of(1U << others.rank()), 7U);
  });
}

TEST(Agreement, RefusesByRankWhoeverDiffers) {
  run_as_threads(4, [](Communicator& others) {
    EXPECT_EQ(failure_of([&] { require_same(&others, "colour", "red", "paint"); }), "");
    const std::string own = others.rank() < 2 ? "red" : "blue";
    EXPECT_EQ(failure_of([&] { require_same(&others, "colour", own, "paint"); }),
              "rank 2 of 4 has another colour (blue; the leader red); paint");
  });
}

TEST(Agreement, AskNobodyWhereThereIsOne) {
  int done = 0;
  together(nullptr, [&] { ++done; });
  by_leader(nullptr, [&] { ++done; });
  require_same(nullptr, "colour", "red", "");
  EXPECT_EQ(done, 2);
}

}  // namespace
}  // namespace orrery
