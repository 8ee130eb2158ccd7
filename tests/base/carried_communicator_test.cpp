// Processes whose bytes travel in a way of their own: threads, and a table of what was posted.
#include "base/carried_communicator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/error.h"

namespace orrery {
namespace {

using Bytes = std::vector<std::byte>;

// What each process has posted for an exchange, by the exchange's name.
struct PostOffice {
  explicit PostOffice(int processes) : size(processes) {}

  int size;
  std::mutex mutex;
  std::map<std::string, std::map<int, Bytes>> posts;
};

class PostingCarrier final : public Carrier {
 public:
  PostingCarrier(PostOffice& office, int rank) : office_(office), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return office_.size; }
  bool fails = false;

  void begin_gather(std::span<const std::byte> own, std::span<const std::size_t>,
                    std::span<std::byte> all) override {
    begin(own, [=](const std::map<int, Bytes>& posts) {
      auto to = all.begin();
      for (const auto& [rank, bytes] : posts) to = std::ranges::copy(bytes, to).out;
    });
  }
  void begin_share(std::span<std::byte> bytes, int root) override {
    begin(bytes, [=](const std::map<int, Bytes>& posts) {
      std::ranges::copy(posts.at(root), bytes.begin());
    });
  }
  void begin_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                     std::span<std::byte> received) override {
    const auto me = counts.begin() + rank_;
    const auto first = std::accumulate(counts.begin(), me, std::size_t{0});
    begin(parts, [=, count = *me](const std::map<int, Bytes>& posts) {
      auto to = received.begin();
      for (const auto& [rank, bytes] : posts)
        to = std::ranges::copy(std::span(bytes).subspan(first, count), to).out;
    });
  }
  bool is_done() override {
    if (fails) fail_broken("the post is lost");
    return is_done(name_, take_);
  }
  void begin_farewell(std::span<const std::byte> own, std::span<std::byte> all) override {
    post(farewell_name(), own);
    take_farewell_ = [=](const std::map<int, Bytes>& posts) {
      auto to = all.begin();
      for (const auto& [rank, bytes] : posts) to = std::ranges::copy(bytes, to).out;
    };
  }
  bool farewell_is_done() override {
    const bool done = is_done(farewell_name(), take_farewell_);
    if (done) ++farewells_;
    return done;
  }

 private:
  using Take = std::function<void(const std::map<int, Bytes>&)>;

  std::string farewell_name() const { return "farewell " + std::to_string(farewells_); }
  void begin(std::span<const std::byte> own, Take take) {
    name_ = std::to_string(exchanges_++);
    take_ = std::move(take);
    post(name_, own);
  }
  void post(const std::string& name, std::span<const std::byte> own) {
    const std::lock_guard lock(office_.mutex);
    office_.posts[name][rank_] = Bytes(own.begin(), own.end());
  }
  bool is_done(const std::string& name, const Take& take) {
    const std::lock_guard lock(office_.mutex);
    const auto& posts = office_.posts[name];
    if (static_cast<int>(posts.size()) < office_.size) return false;
    take(posts);
    return true;
  }

  PostOffice& office_;
  int rank_, exchanges_ = 0, farewells_ = 0;
  std::string name_;
  Take take_, take_farewell_;
};

void in_processes(int size,
                  const std::function<void(CarriedCommunicator&, PostingCarrier&)>& body) {
  PostOffice office(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      PostingCarrier carrier(office, rank);
      CarriedCommunicator processes(carrier);
      body(processes, carrier);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(CarriedCommunicator, SumsGathersAndTells) {
  for (const int size : {2, 3})
    in_processes(size, [&](CarriedCommunicator& processes, PostingCarrier&) {
      std::vector<float> values{1.0F, 0.5F * static_cast<float>(processes.rank()), 3.0F};
      processes.sum(values);
      const auto all = static_cast<float>(size);
      EXPECT_EQ(values, (std::vector<float>{all, 0.25F * all * (all - 1), 3 * all}));
      EXPECT_EQ(processes.told_by_leader(processes.leads() ? "go" : "?"), "go");
      EXPECT_EQ(processes.texts(std::to_string(processes.rank())).back(), std::to_string(size - 1));
    });
}

TEST(CarriedCommunicator, AllHearWhoFailedFirst) {
  in_processes(3, [](CarriedCommunicator& processes, PostingCarrier&) {
    EXPECT_TRUE(processes.farewell(processes.rank() == 1 ? "no room" : ""));
    EXPECT_EQ(processes.first_failure().rank, 1);
    EXPECT_EQ(processes.first_failure().text, "no room");
    EXPECT_FALSE(processes.must_end_others());
    EXPECT_TRUE(processes.farewell(""));
    EXPECT_EQ(processes.first_failure().text, "");
  });
}

TEST(CarriedCommunicator, ALongFailureIsCut) {
  in_processes(2, [](CarriedCommunicator& processes, PostingCarrier&) {
    EXPECT_TRUE(processes.farewell(std::string(10'000, 'x')));
    EXPECT_EQ(processes.first_failure().text, std::string(4095, 'x'));
  });
}

TEST(CarriedCommunicator, WhoFailsWhileOthersWorkMustEndThem) {
  in_processes(2, [](CarriedCommunicator& processes, PostingCarrier&) {
    if (processes.rank() == 0) return;  // it says no farewell
    EXPECT_FALSE(processes.farewell("no room"));
    EXPECT_TRUE(processes.must_end_others());
  });
}

TEST(CarriedCommunicator, WhatTheCarrierThrowsEndsTheTraining) {
  in_processes(2, [](CarriedCommunicator& processes, PostingCarrier& carrier) {
    carrier.fails = true;
    EXPECT_THROW(processes.any(true), Error);
    EXPECT_TRUE(processes.must_end_others());
    EXPECT_FALSE(processes.farewell("the post is lost"));
  });
}

}  // namespace
}  // namespace orrery
