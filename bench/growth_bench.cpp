// How a step against all entities, ranking and memory grow with entities, dimension, batch and
// times: sweeps around one middle point, and a world like Wikidata on a GPU. TComplEx; one JSON
// line a point, which bench/growth draws.
//   growth_bench [turns] [threads] [--device auto|cpu|cuda]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/engine.h"
#include "gpu_parts.h"
#include "measure.h"
#include "opponent.h"
#include "random_examples.h"

namespace orrery {
namespace {

struct Point {
  const char* sweep;
  ModelShape shape;
  std::int64_t batch = 0;
};

struct Sweeps {
  Point middle;
  std::vector<std::int32_t> entities, dims, times;
  std::vector<std::int64_t> batches;
  std::vector<Point> others;

  std::vector<Point> points() const {
    std::vector<Point> all = {middle};
    const auto add = [&](const char* sweep, const auto& values, const auto& set) {
      for (const auto value : values) {
        Point point = middle;
        point.sweep = sweep;
        set(point, value);
        all.push_back(point);
      }
    };
    add("entities", entities, [](Point& p, std::int32_t n) { p.shape.entities = n; });
    add("dim", dims, [](Point& p, std::int32_t n) { p.shape.dim = n; });
    add("batch", batches, [](Point& p, std::int64_t n) { p.batch = n; });
    add("times", times, [](Point& p, std::int32_t n) { p.shape.times = n; });
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }
};

// 600 relations have 1,200 rows.
Sweeps sweeps_for(bool gpu) {
  if (!gpu)
    return {.middle = {"middle", {7'128, 460, 365, 128}, 512},
            .entities = {500, 2'000, 28'000, 100'000},
            .dims = {32, 64, 256, 512},
            .times = {10, 4'000, 40'000},
            .batches = {64, 128, 2'048},
            .others = {}};
  return {.middle = {"middle", {100'000, 1'200, 2'000, 512}, 4'096},
          .entities = {500, 2'000, 7'128, 30'000, 300'000, 1'000'000},
          .dims = {64, 128, 256, 1'024, 2'048},
          .times = {10, 200, 20'000, 200'000},
          .batches = {64, 256, 1'024, 16'384},
          .others = {{"wikidata", {1'200'000, 1'200, 2'000, 512}, 4'096}}};
}

double products_flop(const Point& point) {
  return 6.0 * point.shape.dim * point.shape.entities * static_cast<double>(point.batch);
}

struct Setting {
  std::string device;
  int threads = 0, turns = 0;
  bool gpu = false;
};

// Milliseconds of one call of each, which take turns; short ones are called many times a turn.
std::vector<std::vector<double>> times_of(const std::vector<std::function<void()>>& runs, int turns,
                                          double least_ms) {
  using Clock = std::chrono::steady_clock;
  const auto calls_take = [](const std::function<void()>& run, int calls) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) run();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  std::vector<int> calls;
  for (const auto& run : runs) {
    run();  // what is allocated and planned once
    calls.push_back(1 + static_cast<int>(least_ms / std::max(1e-3, calls_take(run, 1))));
  }
  std::vector<std::vector<double>> times(runs.size());
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t r = 0; r < runs.size(); ++r)
      times[r].push_back(calls_take(runs[r], calls[r]) / calls[r]);
  return times;
}

// A large product in fp32, on every core.
class LargeProduct {
 public:
  static constexpr double flop = 2.0 * 1'024 * 1'024 * 1'024;

  void run() {
    multiply_on_all_cores(size, size, size, {a_.data(), size, false}, {b_.data(), size, true},
                          c_.data(), size);
  }

 private:
  static constexpr std::size_t size = 1'024;
  static std::vector<float> random_matrix(std::uint64_t key) {
    std::vector<float> matrix(size * size);
    for (std::size_t i = 0; i < matrix.size(); ++i)
      matrix[i] = static_cast<float>(random_uniform(key, i));
    return matrix;
  }

  std::vector<float> a_ = random_matrix(1), b_ = random_matrix(2), c_ = random_matrix(3);
};

std::unique_ptr<Engine> engine_of(const Point& point, const Setting& setting) {
  auto engine = make_engine({&find_variant("tcomplex", {}), point.shape, {}},
                            {.device = setting.device,
                             .threads = setting.threads,
                             .precision = setting.gpu ? Precision::automatic : Precision::fp32,
                             .batch = point.batch});
  start_randomly(*engine, 1, 0.01, setting.threads);
  return engine;
}

// Operations a second in the engine's precision: the three products of a step that has nearly
// nothing else.
double gpu_product_rate(const Setting& setting) {
  const Point point = {"", {50'000, 2, 2, 4'096}, 4'096};
  const auto engine = engine_of(point, setting);
  engine->set_examples(random_examples(point.shape, static_cast<std::size_t>(point.batch)));
  engine->step(1, 0, point.batch, {});
  return 1e3 * products_flop(point) / milliseconds_of_gpu_products(*engine);
}

struct Measured {
  double step_ms = 0, rank_ms = 0;  // of a step; of a question
  double limit = 0;                 // the products' time at the rate of large ones ÷ the step's
  double gpu_products_ms = 0;
  std::uint64_t bytes = 0;
  std::string engine;
};

// `rate`: of large products, where it is known; on a CPU, which others may use too, they take turns
// with the steps.
Measured measure(const Point& point, const Setting& setting, double rate) {
  constexpr std::int64_t batches = 4;
  const auto engine = engine_of(point, setting);
  const auto examples =
      random_examples(point.shape, static_cast<std::size_t>(batches * point.batch));
  engine->set_examples(examples);
  StepRules rules;
  rules.loss.lambda_n3 = rules.loss.lambda_time = 0.01;
  std::vector<RankQuestion> questions(setting.gpu ? 1'024 : 256);
  std::vector<RankCounts> counts(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Example& example = examples[i % examples.size()];
    questions[i] = {{example.query, {}, false}, example.object, {}};
  }
  std::int64_t taken = 0;
  const int steps = setting.gpu ? 8 : 1;
  std::vector<std::function<void()>> runs = {[&] {
                                               for (int i = 0; i < steps; ++i, ++taken)
                                                 engine->step(1, taken % batches * point.batch,
                                                              point.batch, rules);
                                               engine->losses();  // read when the device is done
                                             },
                                             [&] { engine->rank(questions, counts); }};
  LargeProduct product;
  if (!setting.gpu) runs.emplace_back([&] { product.run(); });
  const auto times = times_of(runs, setting.turns, setting.gpu ? 20 : 60);
  Measured found;
  found.step_ms = median(times[0]) / steps;
  found.rank_ms = median(times[1]) / static_cast<double>(questions.size());
  std::vector<double> limits;
  for (std::size_t turn = 0; turn < times[0].size(); ++turn) {
    const double here = setting.gpu ? rate : 1e3 * LargeProduct::flop / times[2][turn];
    limits.push_back(1e3 * products_flop(point) / here / (times[0][turn] / steps));
  }
  found.limit = median(limits);
  if (setting.gpu) {
    rules.loss = {};
    engine->step(1, 0, point.batch, rules);  // for its buffers: questions have used them
    found.gpu_products_ms = milliseconds_of_gpu_products(*engine);
  }
  found.bytes = engine->memory_bytes();
  found.engine = engine->description();
  return found;
}

void print(const Point& point, const Measured& found, const Setting& setting) {
  const ModelShape& shape = point.shape;
  const double per_second = 1e3 * static_cast<double>(point.batch) / found.step_ms;
  fmt::print("  {:<9}{:>10}{:>7}{:>7}{:>9}{:>11.3f}{:>13.0f}{:>9.1f}{:>9.2f}{:>14.4f}\n",
             point.sweep, shape.entities, shape.dim, point.batch, shape.times, found.step_ms,
             per_second, 100 * found.limit, static_cast<double>(found.bytes) / (1 << 30),
             found.rank_ms);
  fmt::print(
      "{{\"bench\":\"growth\",\"device\":\"{}\",\"engine\":\"{}\",\"sweep\":\"{}\","
      "\"entities\":{},\"relation_rows\":{},\"times\":{},\"dim\":{},\"batch\":{},"
      "\"step_ms\":{:.4f},\"examples_per_s\":{:.0f},\"products_share\":{:.4f},"
      "\"products_alone_ms\":{:.4f},\"memory_bytes\":{},\"rank_ms\":{:.5f}}}\n",
      setting.gpu ? "cuda" : "cpu", found.engine, point.sweep, shape.entities, shape.relation_rows,
      shape.times, shape.dim, point.batch, found.step_ms, per_second, found.limit,
      found.gpu_products_ms, found.bytes, found.rank_ms);
}

void run(std::span<char*> arguments) {
  std::vector<std::string_view> words(arguments.begin(), arguments.end());
  Setting setting{.device = "cpu"};
  if (const auto found = std::ranges::find(words, "--device");
      found != words.end() && found + 1 != words.end()) {
    setting.device = *(found + 1);
    words.erase(found, found + 2);
  }
  const Repetition repetition = repetition_in(words, 3);
  setting.turns = repetition.turns;
  setting.threads = repetition.threads;
  setting.gpu = is_gpu(setting.device);
  const double rate = setting.gpu ? gpu_product_rate(setting) : 0;
  if (setting.gpu) fmt::print("large products: {:.0f} TFLOP/s, the limit\n", 1e-12 * rate);
  fmt::print("  {:<9}{:>10}{:>7}{:>7}{:>9}{:>11}{:>13}{:>9}{:>9}{:>14}\n", "sweep", "entities",
             "dim", "batch", "times", "step, ms", "examples/s", "limit, %", "GiB", "question, ms");
  for (const Point& point : sweeps_for(setting.gpu).points())
    print(point, measure(point, setting, rate), setting);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // rows are read while others are measured
  try {
    orrery::run({argv + 1, argv + argc});
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
