// A step of BSCA that several processes share: its time, and the bytes they send beside what a
// formula says. Started by mpirun; bench/scale runs it with one to four processes.
//   scale_bench [turns] [threads] [entities] [cpu | cuda] [fp32 | bf16] [processes]
// Without mpirun, `processes` threads of this program stand for so many.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/mpi_communicator.h"
#include "base/random.h"
#include "base/thread_group.h"
#include "engine/cpu/layout.h"
#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr std::int32_t relation_rows = 460, times = 365, dim = 1'024;
constexpr std::int64_t batch = 2'000, example_count = 40'000;
constexpr std::uint64_t shuffle_key = 1;

struct Case {
  int turns = 5, threads = 1;
  std::int32_t entities = 7'128;
  std::string device = "cpu", precision = "fp32";

  bool on_gpu() const { return device != "cpu"; }
  int steps_of_turn() const { return on_gpu() ? 20 : 1; }
};

// What an engine sends: it takes examples in units, pads rows and sums losses in its own way.
struct Traffic {
  std::int64_t unit = batch;
  double row_bytes = dim * sizeof(float);
  double loss_bytes = sizeof(float);
};
Traffic traffic_of(const Case& test) {
  if (test.on_gpu()) return {};
  constexpr int components = 8;  // of BSCA's numbers; rows are padded to keep off whole pages
  const cpu::RowLayout layout{components, dim / components, false};
  return {512, static_cast<double>(layout.floats() * sizeof(float)), sizeof(double)};
}

// By all processes, in one step that begins at `first`. Every row that a unit reads goes from its
// owner to all others; gradients of queries are summed (scattered, then gathered), and so are
// losses; softmax takes a peak of each process.
double bytes_by_formula(const Traffic& traffic, std::span<const Example> examples,
                        std::int64_t first, double processes) {
  const RandomPermutation order(examples.size(), shuffle_key);
  double rows = 0;
  for (std::int64_t begin = 0; begin < batch; begin += traffic.unit) {
    std::set<std::int32_t> read;
    for (std::int64_t i = begin; i < std::min(batch, begin + traffic.unit); ++i) {
      const Example& example = examples[order(static_cast<std::uint64_t>(first + i))];
      read.insert({example.query.subject, example.object});
    }
    rows += static_cast<double>(read.size());
  }
  const double asked = batch;
  return (processes - 1) * (traffic.row_bytes * (rows + 2 * asked) +
                            asked * sizeof(float) * 2 * processes + asked * traffic.loss_bytes * 2);
}

void measure(const Case& test, Communicator* processes) {
  const int count = processes != nullptr ? processes->size() : 1;
  const ModelShape shape{test.entities, relation_rows, times, dim};
  EngineOptions options{.device = test.device,
                        .threads = test.threads,
                        .precision = test.precision == "bf16" ? Precision::bf16 : Precision::fp32,
                        .batch = batch};
  options.processes = processes;
  const auto engine =
      make_engine({&find_variant("bsca", {{"attention", "split"}}), shape, {}}, options);
  start_randomly(*engine, 1, 0.01, test.threads);
  const std::vector<Example> examples = random_examples(shape, example_count);
  engine->set_examples(examples);
  StepRules rules;
  rules.loss.lambda_n3 = rules.loss.lambda_time = 0.01;
  double sent = 0, expected = 0;
  std::int64_t first = 0;
  const auto bytes_sent = [&] {
    return processes != nullptr ? processes->bytes_sent() : std::uint64_t{0};
  };
  const auto steps = [&] {
    const std::uint64_t before = bytes_sent();
    for (int step = 0; step < test.steps_of_turn(); ++step) {
      engine->step(shuffle_key, first, batch, rules);
      first = (first + batch) % example_count;
    }
    engine->losses();  // a device must catch up
    sent += static_cast<double>(bytes_sent() - before);
  };
  std::vector<Part> parts = {{"step", steps, {}, {}}};
  take_turns(parts, test.turns);
  std::int64_t begin = 0;
  for (int step = 0; step < (test.turns + 1) * test.steps_of_turn(); ++step) {
    expected += bytes_by_formula(traffic_of(test), examples, begin, count);
    begin = (begin + batch) % example_count;
  }
  if (processes != nullptr) processes->sum(std::span<double>(&sent, 1));
  if (processes != nullptr && !processes->leads()) return;
  fmt::print(
      "{{\"bench\":\"scale\",\"device\":\"{}\",\"precision\":\"{}\",\"processes\":{},"
      "\"threads\":{},\"entities\":{},\"batch\":{},\"dim\":{},\"step_ms\":{:.2f},\"memory_bytes\":{"
      "},"
      "\"sent\":{:.0f},\"formula\":{:.0f}}}\n",
      test.device, test.precision, count, test.threads, test.entities, batch, dim,
      median(parts[0].milliseconds) / test.steps_of_turn(), engine->memory_bytes(), sent, expected);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const auto word = [&](int place, const char* otherwise) {
    return std::string(argc > place ? argv[place] : otherwise);
  };
  const auto number = [&](int place, int otherwise) {
    return orrery::number_in(word(place, "")).value_or(otherwise);
  };
  const orrery::Case test{.turns = std::max(1, number(1, 5)),
                          .threads = number(2, 1),
                          .entities = std::max(64, number(3, 7'128)),
                          .device = word(4, "cpu"),
                          .precision = word(5, "fp32")};
  if (const int processes = number(6, 1); processes > 1)
    orrery::run_as_threads(processes,
                           [&](orrery::Communicator& all) { orrery::measure(test, &all); });
  else
    orrery::measure(test, orrery::launched_processes());
  orrery::end_launched(0);
}
