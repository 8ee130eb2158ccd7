// Asking a trained model, ICEWS14's shape: a batch of questions in one call beside a call for each;
// the best ten inside the engine beside all scores and a sort outside; and eight threads with an
// asker each beside eight that wait for one engine. Then one question over more entities than
// caches hold beside reading their embeddings once, and beside 64 questions at once.
//   ask_bench [turns] [--device cpu|cuda]
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr std::int32_t entities = 7'128, relation_rows = 460, times = 365;
constexpr std::size_t question_count = 1'024, best = 10, thread_count = 8;

std::vector<QueryPair> random_questions(const ModelShape& shape) {
  std::vector<QueryPair> questions;
  for (const Example& example : random_examples(shape, question_count))
    questions.push_back({example.query, {}, false});
  return questions;
}

// What a user does without `top`.
std::vector<TopAnswers> sorted_outside(Asker& asker, std::span<const QueryPair> questions,
                                       std::vector<float>& scores) {
  asker.score(questions, scores);
  std::vector<TopAnswers> answers(questions.size());
  std::vector<ScoredEntity> row(std::size_t{entities});
  for (std::size_t i = 0; i < questions.size(); ++i) {
    for (std::size_t e = 0; e < row.size(); ++e)
      row[e] = {static_cast<std::int32_t>(e), scores[i * row.size() + e]};
    std::ranges::partial_sort(row, row.begin() + best, is_better);
    answers[i].best.assign(row.begin(), row.begin() + best);
  }
  return answers;
}

void one_by_one(Asker& asker, std::span<const QueryPair> questions, std::span<TopAnswers> answers) {
  for (std::size_t i = 0; i < questions.size(); ++i)
    asker.top(questions.subspan(i, 1), best, answers.subspan(i, 1));
}

// Every thread asks its share, question by question, by ask(thread, first, count).
template <class Ask>
void in_threads(const Ask& ask) {
  std::vector<std::jthread> threads;
  constexpr std::size_t share = question_count / thread_count;
  for (std::size_t t = 0; t < thread_count; ++t)
    threads.emplace_back([&ask, t] { ask(t, t * share, share); });
}

void measure(const std::string& device, std::int32_t dim, int turns) {
  const ModelShape shape{entities, relation_rows, times, dim};
  const auto engine =
      make_engine({&find_variant("bsca", {{"attention", "split"}}), shape, {}}, {.device = device});
  start_randomly(*engine, 1, 0.1);
  const auto questions = random_questions(shape);
  std::vector<TopAnswers> answers(questions.size());
  std::vector<float> scores(questions.size() * std::size_t{entities});
  std::vector<std::unique_ptr<Asker>> askers;
  for (std::size_t t = 0; t < thread_count; ++t) askers.push_back(engine->asker(1));
  std::mutex one_at_a_time;
  const auto share_of = [](auto& of, std::size_t first, std::size_t count) {
    return std::span(of).subspan(first, count);
  };
  std::vector<Part> parts = {
      {"one call", [&] { engine->top(questions, best, answers); }, {}, {}},
      {"a call a question", [&] { one_by_one(*engine, questions, answers); }, {}, {}},
      {"all scores, sorted outside",
       [&] { answers = sorted_outside(*engine, questions, scores); },
       {},
       {}},
      {"8 threads, 8 askers",
       [&] {
         in_threads([&](std::size_t t, std::size_t first, std::size_t count) {
           one_by_one(*askers[t], share_of(questions, first, count),
                      share_of(answers, first, count));
         });
       },
       {},
       {}},
      {"8 threads, one engine and a mutex",
       [&] {
         in_threads([&](std::size_t, std::size_t first, std::size_t count) {
           for (std::size_t i = first; i < first + count; ++i) {
             const std::lock_guard lock(one_at_a_time);
             one_by_one(*engine, share_of(questions, i, 1), share_of(answers, i, 1));
           }
         });
       },
       {},
       {}},
  };
  take_turns(parts, turns);
  fmt::print("\n{}, {} questions, best {}, dim {}, {} entities\n", engine->description(),
             question_count, best, dim, entities);
  print_parts(parts);
  const auto report = [&](const char* name, std::size_t part, std::size_t other) {
    const std::span<const Part> alone(&parts[other], 1);
    fmt::print("  {:<34}{:>10.3f}{:>12.3f}\n", name,
               ratio_of(parts[part], alone, &Part::milliseconds),
               ratio_of(parts[part], alone, &Part::core_milliseconds));
  };
  report("one call / a call a question", 0, 1);
  report("best 10 / sorted outside", 0, 2);
  report("8 askers / one engine and a mutex", 3, 4);
}

// What a question must do at least: see every embedding once.
std::uint32_t read_once(ThreadPool& pool, std::span<const std::uint32_t> words) {
  constexpr std::size_t piece = std::size_t{1} << 18;
  std::vector<std::uint32_t> seen((words.size() + piece - 1) / piece);
  parallel_for(pool, words.size(), piece, [&](std::size_t begin, std::size_t end) {
    std::uint32_t bits = 0;
    for (std::size_t i = begin; i < end; ++i) bits ^= words[i];
    seen[begin / piece] = bits;
  });
  return std::accumulate(seen.begin(), seen.end(), 0U, std::bit_xor<>());
}

void measure_one(std::int32_t dim, std::int32_t many_entities, int turns) {
  constexpr std::size_t at_once = 64;
  const ModelShape shape{many_entities, relation_rows, times, dim};
  const auto engine = make_engine({&find_variant("bsca", {{"attention", "split"}}), shape, {}},
                                  {.precision = Precision::fp32});
  start_randomly(*engine, 1, 0.1);
  const auto questions = random_questions(shape);
  std::vector<TopAnswers> answers(questions.size());
  const std::vector<std::uint32_t> table(static_cast<std::size_t>(many_entities) *
                                         static_cast<std::size_t>(dim));
  ThreadPool pool;
  std::uint32_t seen = 0;
  std::size_t next = 0;
  const auto ask = [&](std::size_t count) {
    const std::size_t first = next++ * at_once % (questions.size() - at_once);
    engine->top(std::span(questions).subspan(first, count), best,
                std::span(answers).subspan(first, count));
  };
  std::vector<Part> parts = {
      {"one question", [&] { ask(1); }, {}, {}},
      {"reading the embeddings", [&] { seen ^= read_once(pool, table); }, {}, {}},
      {"64 questions", [&] { ask(at_once); }, {}, {}}};
  take_turns(parts, turns);
  fmt::print("\n{}, best {}, dim {}, {} entities{}\n", engine->description(), best, dim,
             many_entities, seen == 0 ? "" : "!");
  print_parts(parts);
  fmt::print("  {:<34}{:>10.3f}\n", "one question / reading once",
             ratio_of(parts[0], {&parts[1], 1}, &Part::milliseconds));
  fmt::print("  {:<34}{:>10.3f}\n", "rate of 64 at once / one at a time",
             at_once * ratio_of(parts[0], {&parts[2], 1}, &Part::milliseconds));
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::string device = "cpu";
  std::vector<std::string_view> words(argv + 1, argv + argc);
  const auto flag = std::ranges::find(words, "--device");
  if (flag != words.end() && flag + 1 != words.end()) {
    device = flag[1];
    words.erase(flag, flag + 2);
  }
  const int turns = orrery::repetition_in(words, 5).turns;
  orrery::measure(device, 1'024, turns);
  orrery::measure(device, 256, turns);
  if (device != "cpu") return 0;
  for (const auto& [dim, entities] : {std::pair{256, 7'128}, {256, 200'001}, {1'024, 50'003}})
    orrery::measure_one(dim, entities, 10 * turns);
}
