// Judging the test split of a data set of ICEWS14's shape (17,926 questions) beside the one matrix
// product it needs, alone on all cores: in one call, whose scores fill half a gigabyte, and in
// chunks of rows whose scores stay in the cache.
//   evaluate_bench [turns] [threads]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/filter_index.h"
#include "engine/engine.h"
#include "judge/judge.h"
#include "measure.h"
#include "opponent.h"

namespace orrery {
namespace {

constexpr std::int32_t entities = 7'128, relations = 230, days = 365;
constexpr std::size_t split_sizes[] = {72'826, 8'941, 8'963};
constexpr std::size_t question_count = 2 * split_sizes[static_cast<int>(Split::test)];
constexpr std::size_t chunk = 512;
constexpr double bound = 1.3;

Vocabulary numbered_names(std::int32_t size) {
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < size; ++i) names.push_back(fmt::format("{:05}", i));
  return Vocabulary(std::move(names));
}

// Names are used as unevenly as real ones, so that some questions have many known answers.
TemporalGraph random_dataset() {
  TemporalGraph data;
  data.entities = numbered_names(entities);
  data.relations = numbered_names(relations);
  for (std::int32_t day = 0; day < days; ++day) {
    const std::string label = fmt::format("{:05}", day);
    data.times.rows.push_back({day, day, label});
    data.times.moments.push_back({day, day});
    data.times.moment_names.push_back(label);
  }
  std::uint64_t draws = 0;
  const auto pick = [&draws](std::int32_t bound_of_ids) {
    const double u = random_uniform(1, draws++);
    return static_cast<std::int32_t>(u * u * u * bound_of_ids);
  };
  for (const Split split : all_splits) {
    const auto which = static_cast<std::size_t>(split);
    for (std::size_t i = 0; i < split_sizes[which]; ++i) {
      const auto day = static_cast<std::int32_t>(random_below(2, draws, days));
      data.facts[which].push_back({pick(entities), pick(relations), pick(entities), day});
    }
  }
  return data;
}

std::vector<float> random_matrix(std::size_t size, std::uint64_t key) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i)
    values[i] = static_cast<float>(random_uniform(key, i) - 0.5);
  return values;
}

// The product of all questions with all entities, `rows_at_once` of its rows a call.
struct Product {
  std::size_t width, rows_at_once;
  std::vector<float> queries = random_matrix(question_count * width, 6);
  std::vector<float> entity_rows = random_matrix(std::size_t{entities} * width, 7);
  std::vector<float> scores = std::vector<float>(rows_at_once * entities);

  void run() {
    for (std::size_t done = 0; done < question_count; done += rows_at_once)
      multiply_on_all_cores(std::min(rows_at_once, question_count - done), entities, width,
                            {queries.data() + done * width, width, false},
                            {entity_rows.data(), width, true}, scores.data(), entities);
  }
};

void measure(std::int32_t dim, const TemporalGraph& data, const FilterIndex& filter, int turns,
             int threads) {
  const ModelShape shape{entities, data.relation_ids().count(), days, dim};
  const auto engine = make_engine({&find_variant("bsca", {{"attention", "split"}}), shape, {}},
                                  {.threads = threads});
  start_randomly(*engine, 1, 0.1, threads);
  const auto width = static_cast<std::size_t>(dim);
  Product whole{width, question_count}, in_chunks{width, chunk};
  double mrr = 0;
  std::vector<Part> parts = {
      {"product: in one call", [&] { whole.run(); }, {}, {}},
      {fmt::format("product: {} rows a call", chunk), [&] { in_chunks.run(); }, {}, {}},
      {"evaluation",
       [&] { mrr = judge(*engine, data, filter, Split::test).pessimistic.mrr; },
       {},
       {}},
  };
  take_turns(parts, turns);
  fmt::print("\n{}, {} questions, dim {}, {} entities (MRR by chance {:.4f})\n",
             engine->description(), question_count, dim, entities, mrr);
  print_parts(parts);
  const auto report = [&](std::size_t product, const char* name) {
    const std::span<const Part> alone(&parts[product], 1);
    const double ratio = ratio_of(parts[2], alone, &Part::milliseconds);
    const double core_ratio = ratio_of(parts[2], alone, &Part::core_milliseconds);
    fmt::print("  {:<34}{:>10.3f}{:>12.3f}  (at most {})\n",
               fmt::format("evaluation / product {}", name), ratio, core_ratio, bound);
    fmt::print(
        "{{\"bench\":\"evaluate\",\"product\":\"{}\",\"dim\":{},\"evaluate_ms\":{:.2f},"
        "\"product_ms\":{:.2f},\"ratio\":{:.4f},\"core_ratio\":{:.4f},\"bound\":{}}}\n",
        name, dim, median(parts[2].milliseconds), median(parts[product].milliseconds), ratio,
        core_ratio, bound);
  };
  report(0, "whole");
  report(1, "in chunks");
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const auto [turns, threads] = orrery::repetition_in(argc, argv, 5);
  const auto data = orrery::random_dataset();
  const orrery::FilterIndex filter(data);
  orrery::measure(1'024, data, filter, turns, threads);
  orrery::measure(256, data, filter, turns, threads);
}
