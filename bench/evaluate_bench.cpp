// Ranking ICEWS14's test split (17,926 questions) beside its one matrix product alone, in one call
// on all cores.
//   evaluate_bench [turns] [threads]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/random.h"
#include "engine/cpu/gemm.h"
#include "engine/engine.h"
#include "measure.h"

namespace orrery {
namespace {

constexpr std::int32_t entities = 7'128, relation_rows = 460, times = 365;
constexpr std::size_t question_count = 2 * 8'963;
constexpr double bound = 1.3;

struct Questions {
  std::vector<std::vector<std::int32_t>> known;
  std::vector<RankQuestion> list;
};

// Most questions have one known answer, a few have dozens.
Questions random_questions() {
  Questions questions;
  for (std::size_t i = 0; i < question_count; ++i) {
    const auto pick = [i](std::uint64_t key, std::int32_t below) {
      return static_cast<std::int32_t>(random_below(key, i, static_cast<std::uint32_t>(below)));
    };
    const std::int32_t target = pick(1, entities);
    std::vector<std::int32_t> known = {target};
    const double u = random_uniform(2, i);
    for (int k = 0; k < static_cast<int>(60 * u * u * u * u); ++k)
      known.push_back(pick(100 + static_cast<std::uint64_t>(k), entities));
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    questions.known.push_back(std::move(known));
    questions.list.push_back(
        {{{pick(3, entities), pick(4, relation_rows), pick(5, times)}, {}, false}, target, {}});
  }
  for (std::size_t i = 0; i < question_count; ++i) questions.list[i].known = questions.known[i];
  return questions;
}

std::vector<float> random_matrix(std::size_t size, std::uint64_t key) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i)
    values[i] = static_cast<float>(random_uniform(key, i) - 0.5);
  return values;
}

void measure(std::int32_t dim, const Questions& questions, int turns, int threads) {
  const auto engine = make_engine(
      {&find_variant("bsca", {{"attention", "split"}}), {entities, relation_rows, times, dim}, {}},
      {.threads = threads});
  start_randomly(*engine, 1, 0.1);
  const auto width = static_cast<std::size_t>(dim);
  const auto queries = random_matrix(question_count * width, 6);
  const auto rows = random_matrix(std::size_t{entities} * width, 7);
  std::vector<float> scores(question_count * entities);
  std::vector<RankCounts> counts(question_count);
  std::vector<Part> parts = {
      {"product: all scores",
       [&] {
         cpu::multiply_on_all_cores(question_count, entities, width, {queries.data(), width, false},
                                    {rows.data(), width, true}, scores.data(), entities);
       },
       {},
       {}},
      {"evaluation", [&] { engine->rank(questions.list, counts); }, {}, {}},
  };
  take_turns(parts, turns);
  const double ratio = ratio_of_last(parts);
  const double core_ratio = ratio_of_last(parts, &Part::core_milliseconds);
  fmt::print("\n{}, {} questions, dim {}, {} entities\n", engine->description(), question_count,
             dim, entities);
  print_parts(parts);
  fmt::print("  {:<34}{:>10.3f}{:>12.3f}  (at most {})\n", "evaluation / its product", ratio,
             core_ratio, bound);
  fmt::print(
      "{{\"bench\":\"evaluate\",\"dim\":{},\"evaluate_ms\":{:.2f},\"product_ms\":{:.2f},"
      "\"ratio\":{:.4f},\"core_ratio\":{:.4f},\"bound\":{}}}\n",
      dim, median(parts[1].milliseconds), median(parts[0].milliseconds), ratio, core_ratio, bound);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 5;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  const auto questions = orrery::random_questions();
  orrery::measure(1'024, questions, turns, threads);
  orrery::measure(256, questions, turns, threads);
}
