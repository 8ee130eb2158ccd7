// A step of BSCA that several processes share: its time, and the bytes they send beside what a
// formula says. Started by mpirun; bench/scale runs it with one to four processes.
//   scale_bench [turns] [threads] [entities]
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/mpi_communicator.h"
#include "base/random.h"
#include "engine/cpu/layout.h"
#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr std::int32_t relation_rows = 460, times = 365, dim = 1'024;
constexpr std::int64_t batch = 2'000, unit = 512, example_count = 40'000;
constexpr std::uint64_t shuffle_key = 1;

// By all processes, in one step that begins at `first`. Every row that a unit reads goes from its
// owner to all others; gradients of queries are summed (scattered, then gathered); softmax takes a
// peak of each process and a double of each row.
double bytes_by_formula(std::span<const Example> examples, std::int64_t first, double processes) {
  const RandomPermutation order(examples.size(), shuffle_key);
  double rows = 0;
  for (std::int64_t begin = 0; begin < batch; begin += unit) {
    std::set<std::int32_t> read;
    for (std::int64_t i = begin; i < std::min(batch, begin + unit); ++i) {
      const Example& example = examples[order(static_cast<std::uint64_t>(first + i))];
      read.insert({example.query.subject, example.object});
    }
    rows += static_cast<double>(read.size());
  }
  constexpr int components = 8;  // of BSCA's numbers; rows are padded to keep off whole pages
  const cpu::RowLayout layout{components, dim / components, false};
  const double row_bytes = static_cast<double>(layout.floats() * sizeof(float)), asked = batch;
  return (processes - 1) * (row_bytes * (rows + 2 * asked) + asked * sizeof(float) * 2 * processes +
                            asked * sizeof(double) * 2);
}

void measure(int turns, int threads, std::int32_t entities) {
  Communicator* processes = launched_processes();
  const int count = processes != nullptr ? processes->size() : 1;
  const ModelShape shape{entities, relation_rows, times, dim};
  EngineOptions options{.threads = threads, .precision = Precision::fp32};
  options.processes = processes;
  const auto engine =
      make_engine({&find_variant("bsca", {{"attention", "split"}}), shape, {}}, options);
  start_randomly(*engine, 1, 0.01, threads);
  const std::vector<Example> examples = random_examples(shape, example_count);
  engine->set_examples(examples);
  StepRules rules;
  rules.loss.lambda_n3 = rules.loss.lambda_time = 0.01;
  double sent = 0, expected = 0;
  std::int64_t first = 0;
  std::vector<Part> parts = {{"step",
                              [&] {
                                const auto before = processes ? processes->bytes_sent() : 0;
                                engine->step(shuffle_key, first, batch, rules);
                                if (processes != nullptr)
                                  sent += static_cast<double>(processes->bytes_sent() - before);
                                expected += bytes_by_formula(examples, first, count);
                                first = (first + batch) % example_count;
                              },
                              {},
                              {}}};
  take_turns(parts, turns);
  if (processes != nullptr) processes->sum(std::span<double>(&sent, 1));
  if (processes != nullptr && !processes->leads()) return;
  fmt::print(
      "{{\"bench\":\"scale\",\"processes\":{},\"threads\":{},\"entities\":{},\"batch\":{},"
      "\"dim\":{},\"step_ms\":{:.2f},\"sent\":{:.0f},\"formula\":{:.0f}}}\n",
      count, threads, entities, batch, dim, median(parts[0].milliseconds), sent, expected);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const auto number = [&](int place, int otherwise) {
    return argc > place ? orrery::number_in(argv[place]).value_or(otherwise) : otherwise;
  };
  orrery::measure(std::max(1, number(1, 5)), number(2, 1), std::max(64, number(3, 7'128)));
  orrery::end_launched(0);
}
