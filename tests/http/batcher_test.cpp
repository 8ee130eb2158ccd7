#include "http/batcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "http/problem.h"
#include "http/small_models.h"

namespace orrery {
namespace {

using testing::small_model;
using testing::small_question;

void expect_same(const Answers& answers, const Answers& expected) {
  EXPECT_EQ(answers.asked, expected.asked);
  ASSERT_EQ(answers.size(), expected.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].name, expected[i].name);
    EXPECT_NEAR(answers[i].score, expected[i].score, 1e-4);
    EXPECT_NEAR(answers[i].probability, expected[i].probability, 1e-5);
  }
}

TEST(Batcher, ManyThreadsGetTheirOwnAnswers) {
  std::atomic<std::size_t> asked = 0, calls = 0;
  Batcher batcher(small_model(), {}, [&](std::size_t questions) {
    asked += questions;
    ++calls;
  });
  constexpr std::size_t threads = 16, rounds = 25;
  std::vector<std::thread> crowd;
  for (std::size_t t = 0; t < threads; ++t)
    crowd.emplace_back([&, t] {
      for (std::size_t i = 0; i < rounds; ++i) {
        const std::vector<Question> mine = {small_question(t + i), small_question(t * 7 + i)};
        const PredictOptions options{.top = 1 + t % 5};
        const auto outcomes = batcher.ask(mine, options);
        ASSERT_EQ(outcomes.size(), 2U);
        for (std::size_t q = 0; q < 2; ++q) {
          ASSERT_FALSE(outcomes[q].error);
          expect_same(outcomes[q].answers, small_model().predict(mine[q], options));
        }
      }
    });
  for (auto& thread : crowd) thread.join();
  EXPECT_EQ(asked, threads * rounds * 2);
  EXPECT_LE(calls, threads * rounds);
}

TEST(Batcher, AWrongQuestionDoesNotSpoilTheOthers) {
  Batcher batcher(small_model(), {}, [](std::size_t) {});
  std::vector<Question> questions;
  for (std::size_t i = 0; i < 64; ++i) questions.push_back(small_question(i));
  for (const std::size_t wrong : {0U, 13U, 14U, 63U}) questions[wrong].relation = "nonsense";
  const auto outcomes = batcher.ask(questions, {.top = 3});
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const bool wrong = questions[i].relation == "nonsense";
    EXPECT_EQ(outcomes[i].error.has_value(), wrong) << i;
    if (!wrong) expect_same(outcomes[i].answers, small_model().predict(questions[i], {.top = 3}));
  }
}

// A call that takes as long as the test wants.
struct SlowCall {
  std::atomic<bool> begun = false, may_end = false;
  void operator()() {
    begun = true;
    while (!may_end) std::this_thread::yield();
  }
  void await() const {
    while (!begun) std::this_thread::yield();
  }
};

TEST(Batcher, WhoComesMeanwhileIsAskedForTogether) {
  SlowCall slow;
  std::vector<std::size_t> sizes;
  Batcher batcher(small_model(), {}, [&](std::size_t questions) {
    sizes.push_back(questions);
    if (sizes.size() == 1) slow();
  });
  std::atomic<int> waiting = 0;
  std::vector<std::thread> crowd;
  const auto ask = [&](std::size_t i) {
    const Question question = small_question(i);
    ++waiting;
    EXPECT_FALSE(batcher.ask(std::span(&question, 1), {}).front().error);
  };
  crowd.emplace_back(ask, 0);
  slow.await();
  for (std::size_t i = 1; i <= 5; ++i) crowd.emplace_back(ask, i);
  while (waiting < 6) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  slow.may_end = true;
  for (auto& thread : crowd) thread.join();
  EXPECT_EQ(sizes.front(), 1U);
  EXPECT_LT(sizes.size(), 6U);  // at least two of the five were asked for together
}

int status_of(Batcher& batcher, const Question& question) {
  try {
    batcher.ask(std::span(&question, 1), {});
  } catch (const Problem& problem) {
    return problem.status;
  }
  return 200;
}

TEST(Batcher, WaitingHasLimits) {
  SlowCall slow;
  Batcher batcher(small_model(), {.waiting = 1, .turn = std::chrono::milliseconds(20)},
                  [&](std::size_t) {
                    if (!slow.begun) slow();
                  });
  const Question question = small_question(1);
  std::thread first([&] { EXPECT_EQ(status_of(batcher, question), 200); });
  slow.await();
  EXPECT_EQ(status_of(batcher, question), 503);  // its turn does not come in time
  std::atomic<int> refused = 0, late = 0;
  std::vector<std::thread> crowd;
  for (int i = 0; i < 8; ++i)
    crowd.emplace_back([&] {
      const int status = status_of(batcher, question);
      ++(status == 429 ? refused : late);
      EXPECT_TRUE(status == 429 || status == 503) << status;
    });
  for (auto& thread : crowd) thread.join();
  EXPECT_GE(refused, 1);  // one may wait at a time
  EXPECT_GE(late, 1);
  slow.may_end = true;
  first.join();
  EXPECT_EQ(status_of(batcher, question), 200);
}

}  // namespace
}  // namespace orrery
