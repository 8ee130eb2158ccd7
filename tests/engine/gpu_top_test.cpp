// The best answers of a GPU against plain code over its own scores, and against the CPU's.
#include <gtest/gtest.h>

#include <thread>

#include "engine/battery.h"
#include "engine/best_answers.h"
#include "engine/quiz.h"

namespace orrery {
namespace {

// Products, candidates of each time, derived ones, distances, divergences, a core tensor.
constexpr std::string_view models[] = {"tntcomplex", "de-simple", "hyte",     "ttranse",
                                       "atise",      "boxte",     "tuckertnt"};
constexpr std::int32_t sizes[] = {1, 7, 500, 7'129};

class GpuTop : public OnGpu {
 protected:
  static ModelPlan plan(std::string_view model, std::int32_t entities, std::int32_t lanes = 5) {
    return plan_of(find_variant(model, {}), lanes, {entities, 6, 4, 0});
  }
  static std::vector<std::size_t> lengths(std::int32_t entities) {
    const auto all = static_cast<std::size_t>(entities);
    return {0, 1, 10, 257, all - 1, all, all + 5};
  }
};

TEST_F(GpuTop, IsWhatSortingItsScoresGives) {
  for (const std::string_view model : models)
    for (const std::int32_t entities : sizes)
      for (const bool whole : {true, false}) {
        const auto engine = make_engine(plan(model, entities), options_of("gpu"));
        whole ? write_whole_numbers(*engine) : start_randomly(*engine, 5, 0.3);
        const auto queries = random_pairs(engine->plan().shape, 37);
        for (const std::size_t k : lengths(entities)) {
          SCOPED_TRACE(std::string(model) + ", " + std::to_string(entities) + " entities, k " +
                       std::to_string(k) + (whole ? ", whole numbers" : ""));
          expect_answers(top_of(*engine, queries, k), sorted_answers(*engine, queries, k));
        }
      }
}

TEST_F(GpuTop, OfEqualScoresAreTheLowestIds) {
  for (const std::int32_t entities : sizes) {
    const auto engine = make_engine(plan("tntcomplex", entities), options_of("gpu"));
    for (const std::size_t k : lengths(entities))
      for (const TopAnswers& answers : top_of(*engine, random_pairs(engine->plan().shape, 3), k)) {
        ASSERT_EQ(answers.best.size(), std::min(k, static_cast<std::size_t>(entities)));
        for (std::size_t i = 0; i < answers.best.size(); ++i)
          ASSERT_EQ(answers.best[i].entity, static_cast<std::int32_t>(i)) << entities << ", " << k;
        EXPECT_NEAR(answers.log_sum, std::log(static_cast<double>(entities)), 1e-6);
      }
  }
}

// Where whole numbers stay exact, ties and all.
TEST_F(GpuTop, OfWholeNumbersIsExactlyThatOfTheCpu) {
  for (const std::string_view model : {"tntcomplex", "ttranse", "tuckertnt"})
    for (const std::int32_t entities : sizes) {
      const auto cpu = make_engine(plan(model, entities), options_of("")),
                 gpu = make_engine(plan(model, entities), options_of("gpu"));
      write_whole_numbers(*cpu);
      write_whole_numbers(*gpu);
      const auto queries = random_pairs(cpu->plan().shape, 37);
      for (const std::size_t k : lengths(entities))
        expect_answers(top_of(*gpu, queries, k), top_of(*cpu, queries, k));
    }
}

TEST_F(GpuTop, OfRandomRowsIsCloseToThatOfTheCpu) {
  for (const std::string_view model : models) {
    const auto cpu = make_engine(plan(model, 7'129, 67), options_of("")),
               gpu = make_engine(plan(model, 7'129, 67), options_of("gpu"));
    start_randomly(*cpu, 5, 0.3);
    start_randomly(*gpu, 5, 0.3);
    const auto queries = random_pairs(cpu->plan().shape, 30);
    const auto wanted = top_of(*cpu, queries, 257), found = top_of(*gpu, queries, 257);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const double close = 1e-5 * std::abs(wanted[i].highest) + 1e-4;
      EXPECT_NEAR(found[i].log_sum, wanted[i].log_sum, close) << model;
      for (std::size_t place = 0; place < 257; ++place)
        ASSERT_NEAR(found[i].best[place].score, wanted[i].best[place].score, close)
            << model << ", question " << i << ", place " << place;
    }
  }
}

// More questions than are asked at once, and more answers than leave the device at once.
TEST_F(GpuTop, OfManyQuestionsAndAnswers) {
  const auto engine = make_engine(plan("tntcomplex", 7'129), options_of("gpu"));
  write_whole_numbers(*engine);
  const auto few = random_pairs(engine->plan().shape, 30);
  auto queries = few;
  while (queries.size() < 4'500) queries.insert(queries.end(), few.begin(), few.end());
  for (const std::size_t k : {10U, 2'000U}) {
    const auto wanted = sorted_answers(*engine, few, k), found = top_of(*engine, queries, k);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i].best, wanted[i % few.size()].best) << "question " << i;
  }
}

TEST_F(GpuTop, HasTheSameBytesOnEveryRunAndFromEveryThread) {
  const auto engine = make_engine(plan("tntcomplex", 7'129, 67), options_of("gpu"));
  start_randomly(*engine, 5, 0.3);
  const auto queries = random_pairs(engine->plan().shape, 50);
  const auto wanted = top_of(*engine, queries, 10);
  std::vector<int> right(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < right.size(); ++t)
      threads.emplace_back([&, t] {
        const auto asker = std::as_const(*engine).asker(1);
        for (int turn = 0; turn < 5; ++turn) right[t] += top_of(*asker, queries, 10) == wanted;
      });
  }
  EXPECT_EQ(right, std::vector<int>(8, 5));
}

}  // namespace
}  // namespace orrery
