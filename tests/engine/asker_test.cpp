// Many threads ask one engine, each by an asker of its own, and all get what one thread gets.
#include <gtest/gtest.h>

#include <thread>

#include "engine/battery.h"
#include "engine/best_answers.h"
#include "engine/quiz.h"

namespace orrery {
namespace {

constexpr ModelShape shape_of_askers = {300, 6, 4, 0};
constexpr std::size_t batches[] = {1, 40, 3, 17};  // of questions; buffers grow and stay

struct Everything {
  std::vector<float> scores;
  std::vector<TopAnswers> answers;
  std::vector<RankCounts> counts;

  friend bool operator==(const Everything&, const Everything&) = default;
};

Everything ask(Asker& asker, const Quiz& quiz, std::size_t count) {
  const auto questions = std::span(quiz.questions).first(count);
  const auto queries = queries_of(questions);
  Everything found{scores_of(asker, queries, shape_of_askers.entities), top_of(asker, queries, 7),
                   std::vector<RankCounts>(count)};
  asker.rank(questions, found.counts);
  return found;
}

class Askers : public ByVariantAndTarget {
 protected:
  Quiz quiz = random_quiz(shape_of_askers, 40);
};

TEST_P(Askers, InEightThreadsGetTheBytesOfOne) {
  const auto made = make_engine(plan(3, shape_of_askers), options_of(target));
  start_randomly(*made, 5, 0.3);
  const Engine& engine = *made;
  std::vector<Everything> wanted;
  const auto alone = engine.asker(1);
  for (const std::size_t count : batches) wanted.push_back(ask(*alone, quiz, count));
  std::vector<int> right(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < right.size(); ++t)
      threads.emplace_back([&, t] {
        const auto asker = engine.asker(t % 4 == 0 ? 2 : 1);
        for (std::size_t turn = 0; turn < std::size(batches); ++turn) {
          const std::size_t which = (turn + t) % std::size(batches);
          right[t] += ask(*asker, quiz, batches[which]) == wanted[which];
        }
      });
  }
  for (const int answered : right) EXPECT_EQ(answered, static_cast<int>(std::size(batches)));
}

// Whatever the engine's own buffers were used for meanwhile.
TEST_P(Askers, OfATrainedEngineAnswerAsItDoesAndLeaveItsTrainingAlone) {
  const ModelPlan small = plan(3, shape_of_askers);
  const auto examples = random_examples(small.shape, 60, 6);
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    const auto asked = make_engine(small, options_of(target, precision));
    const auto left = make_engine(small, options_of(target, precision));
    const auto asker = asked->asker(2);
    for (Engine* engine : {asked.get(), left.get()}) {
      start_randomly(*engine, 5, 0.3);
      engine->set_examples(examples);
    }
    for (std::int64_t first = 0; first < 60; first += 20) {
      asked->step(1, first, 20, {});
      left->step(1, first, 20, {});
      EXPECT_EQ(ask(*asker, quiz, 17), ask(*left, quiz, 17)) << "after step " << first;
    }
    EXPECT_EQ(read_tables(*asked, State::value), read_tables(*left, State::value));
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, Askers, every_variant_and_target(), name_of_both);

}  // namespace
}  // namespace orrery
