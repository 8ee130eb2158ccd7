// Rows and batches of any width on the CPU: the time of a training step beside that of the next
// whole block of lanes (or the batch of 512), and beside its share of the reals (or examples).
// Where time exceeds that share by much, the size pays for work that is not its own.
//   narrow_bench [turns] [threads]
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr std::int64_t usual_batch = 512;

struct Size {
  const char* model;
  std::int32_t entities, dim;
  std::int64_t batch = usual_batch;
};

class Subject {
 public:
  Subject(const Size& size, Precision precision, int threads) : batch_(size.batch) {
    const ModelShape shape{size.entities, 460, 365, size.dim};
    engine_ = make_engine({&find_variant(size.model, {}), shape, {}},
                          {.threads = threads, .precision = precision});
    start_randomly(*engine_, 1, 0.01, threads);
    engine_->set_examples(random_examples(shape, static_cast<std::size_t>(batch_)));
    rules_.loss.lambda_n3 = rules_.loss.lambda_time = 0.01;
  }

  void step() { engine_->step(1, 0, batch_, rules_); }

 private:
  std::int64_t batch_;
  std::unique_ptr<Engine> engine_;
  StepRules rules_;
};

void measure(const Size& size, Precision precision, int turns, int threads) {
  Size whole = size;
  const std::int32_t block = 16 * find_variant(size.model, {}).algebra_size;
  whole.dim = (size.dim + block - 1) / block * block;
  whole.batch = usual_batch;
  Subject narrow_one(size, precision, threads), whole_one(whole, precision, threads);
  std::vector<Part> parts = {
      {"step", [&] { narrow_one.step(); }, {}, {}},
      {"step of a whole block", [&] { whole_one.step(); }, {}, {}},
  };
  take_turns(parts, turns);
  const std::span other(&parts[1], 1);
  const double work = static_cast<double>(size.dim) * static_cast<double>(size.batch) /
                      (static_cast<double>(whole.dim) * static_cast<double>(whole.batch));
  fmt::print("  {:<10}{:>9}{:>7}{:>7}{:>11.2f}{:>12.2f}{:>12.3f}{:>12.3f}{:>8.3f}\n", size.model,
             size.entities, size.dim, size.batch, median(parts[0].milliseconds),
             median(parts[0].core_milliseconds), ratio_of(parts[0], other, &Part::milliseconds),
             ratio_of(parts[0], other, &Part::core_milliseconds), work);
}

void run(int turns, int threads) {
  std::vector<Size> sizes;
  for (const std::int32_t dim : {8, 24, 40, 64, 104, 136, 200, 1'000, 1'032})
    sizes.push_back({"bsca", 7'128, dim});
  for (const std::int32_t dim : {64, 136}) sizes.push_back({"bsca", 500, dim});
  for (const std::int32_t dim : {10, 30, 50, 100, 254}) sizes.push_back({"tcomplex", 7'128, dim});
  for (const std::int64_t batch : {1, 7, 64, 511, 513, 1'999})
    sizes.push_back({"bsca", 7'128, 256, batch});
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    fmt::print("\n{}: a step / one of a whole block and batch 512\n",
               precision == Precision::fp32 ? "fp32" : "bf16");
    fmt::print("  {:<10}{:>9}{:>7}{:>7}{:>11}{:>12}{:>12}{:>12}{:>8}\n", "", "entities", "dim",
               "batch", "ms", "core ms", "time", "core time", "work");
    for (const Size& size : sizes) measure(size, precision, turns, threads);
  }
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // rows are read while others are measured
  const auto [turns, threads] = orrery::repetition_in(argc, argv, 9);
  orrery::run(turns, threads);
}
