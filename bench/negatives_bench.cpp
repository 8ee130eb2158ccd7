// A training step against drawn candidates, which updates the entities it has touched, beside one
// that updates every row of every table. TComplEx.
//   negatives_bench [turns] [threads]
#include <fmt/format.h>

#include <numeric>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr ModelShape shape{200'000, 460, 365, 128};
constexpr std::int64_t batch = 1'024;
constexpr std::int32_t negatives = 1'024;
constexpr std::size_t example_count = 100 * std::size_t{batch};
constexpr double bound = 0.75;

std::unique_ptr<Engine> engine_with(int threads) {
  auto engine = make_engine(
      {&find_variant("tcomplex", {}), shape, {}},
      {.threads = threads, .precision = Precision::fp32, .batch = batch, .negatives = negatives});
  start_randomly(*engine, 1, 0.01, threads);
  engine->set_examples(random_examples(shape, example_count));
  return engine;
}

void train_every_row(Engine& engine) {
  std::vector<std::vector<std::int32_t>> rows;
  for (const TableSpec& table : engine.tables()) {
    rows.emplace_back(static_cast<std::size_t>(table.count));
    std::iota(rows.back().begin(), rows.back().end(), 0);
  }
  engine.train_only(rows);
}

void measure(int turns, int threads) {
  const auto sparse = engine_with(threads), dense = engine_with(threads);
  train_every_row(*dense);
  StepRules rules;
  rules.loss.lambda_n3 = rules.loss.lambda_time = 0.01;
  rules.loss.negatives = negatives;
  std::int64_t taken = 0;
  const auto take = [&](Engine& engine) {
    engine.step(1, taken++ % (std::int64_t{example_count} / batch) * batch, batch, rules);
  };
  std::vector<Part> parts = {{"step", [&] { take(*sparse); }, {}, {}},
                             {"step, every row", [&] { take(*dense); }, {}, {}}};
  take_turns(parts, turns);
  const std::span every_row(parts.begin() + 1, 1);
  const double ratio = ratio_of(parts[0], every_row, &Part::milliseconds);
  const double core_ratio = ratio_of(parts[0], every_row, &Part::core_milliseconds);
  fmt::print("\n{}, batch {}, {} negatives, dim {}, {} entities\n", sparse->description(), batch,
             negatives, shape.dim, shape.entities);
  print_parts(parts);
  fmt::print("  {:<34}{:>10.3f}{:>12.3f}  (at most {})\n", "step / step, every row", ratio,
             core_ratio, bound);
  fmt::print(
      "{{\"bench\":\"negatives\",\"step_ms\":{:.2f},\"every_row_ms\":{:.2f},"
      "\"ratio\":{:.4f},\"core_ratio\":{:.4f},\"bound\":{}}}\n",
      median(parts[0].milliseconds), median(parts[1].milliseconds), ratio, core_ratio, bound);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const auto [turns, threads] = orrery::repetition_in(argc, argv, 9);
  orrery::measure(turns, threads);
}
