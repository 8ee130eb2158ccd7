// What a step costs on a GPU when its memory does not hold the embeddings: with more and more of
// them in the host's memory ÷ with all on the device, and with drawn candidates the same.
//   gpu_host_tables_bench [turns [entities [dim [batch]]]]
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/cuda/backend.h"
#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr int steps = 4;

struct World {
  int turns = 5;
  std::int32_t entities = 1'200'000, dim = 512, batch = 4'096;
};

class TimedStep {
 public:
  TimedStep(const World& world, std::int32_t negatives, int on_host)
      : batch_(world.batch),
        engine_(make_engine(
            {&find_variant("tcomplex", {}), {world.entities, 600, 2'000, world.dim}, {}, {}},
            {.device = "cuda",
             .batch = world.batch,
             .negatives = negatives,
             .tables_on_host = on_host})) {
    start_randomly(*engine_, 1, 0.01);
    engine_->set_examples(
        random_examples(engine_->plan().shape, static_cast<std::size_t>(steps * batch_)));
    rules_.loss.lambda_n3 = 0.008;
    rules_.loss.lambda_time = 0.01;
    rules_.loss.negatives = negatives;
    milliseconds();
  }

  const Engine& engine() const { return *engine_; }
  double milliseconds() {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) engine_->step(epoch_, i * batch_, batch_, rules_);
    ++epoch_;
    engine_->losses();  // the device is done
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    return taken.count() / steps;
  }

 private:
  std::int64_t batch_;
  std::unique_ptr<Engine> engine_;
  std::uint64_t epoch_ = 0;
  StepRules rules_;
};

// One engine at a time: two would not fit beside each other where this matters.
double median_milliseconds(const World& world, std::int32_t negatives, int on_host, double whole) {
  TimedStep step(world, negatives, on_host);
  std::vector<double> times;
  for (int turn = 0; turn < world.turns; ++turn) times.push_back(step.milliseconds());
  const double milliseconds = median(times);
  fmt::print("{:>10} {:>10.2f} {:>14.0f} {:>8.2f}  {}\n", negatives, milliseconds,
             1e3 * world.batch / milliseconds, whole > 0 ? milliseconds / whole : 1.0,
             step.engine().description());
  return milliseconds;
}

void measure(const World& world) {
  fmt::print("tcomplex, {} entities, dim {}, batch {}\n", world.entities, world.dim, world.batch);
  fmt::print("{:>10} {:>10} {:>14} {:>8}\n", "negatives", "ms a step", "examples/s", "ratio");
  for (const std::int32_t negatives : {0, 4'096}) {
    double whole = 0;
    for (const int on_host : {0, 2, 3, 4, 5}) {  // no averages are kept here
      const double milliseconds = median_milliseconds(world, negatives, on_host, whole);
      if (on_host == 0) whole = milliseconds;
    }
  }
}

World world_of(int count, char** words) {
  World world;
  const std::array<std::int32_t*, 4> numbers = {&world.turns, &world.entities, &world.dim,
                                                &world.batch};
  for (int i = 1; i < count; ++i) {
    const auto number = number_in(words[i]);
    if (!number || *number == 0 || i > 4) {
      fmt::print(stderr, "'{}' is not understood; give turns, entities, dim and batch\n", words[i]);
      std::exit(1);
    }
    *numbers[static_cast<std::size_t>(i - 1)] = *number;
  }
  return world;
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  if (orrery::cuda::device_count() == 0) {
    fmt::print("no GPU here: nothing to measure\n");
    return 0;
  }
  try {
    orrery::measure(orrery::world_of(argc, argv));
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
