// One training step of every model on a GPU beside one of BSCA at the same row width, and for
// models whose scores are no matrix product the share of the device's fp32 peak that their
// comparisons reach. The shape is that of ICEWS14.
//   gpu_models_bench [turns]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/cuda/backend.h"
#include "engine/cuda/profile.h"
#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr std::int64_t batch = 6'000;
constexpr std::size_t example_count = 145'652;
constexpr int steps = 10;

// Widths at which models are trained in configs/icews14.
std::int32_t dim_of(const ModelVariant& variant) {
  if (variant.has_core) return 256;
  if (variant.candidates == Candidates::each_time) return 512;
  return variant.by_product ? 4'000 : 2'000;
}

class TimedModel {
 public:
  TimedModel(const ModelVariant& variant, std::int32_t dim)
      : engine_(make_engine({&variant, {7'128, 460, 365, dim}, {}, {}}, {.device = "cuda"})) {
    start_randomly(*engine_, 1, 0.01);
    engine_->set_examples(random_examples(engine_->plan().shape, example_count));
    rules_.loss.lambda_n3 = 0.008;
    rules_.loss.lambda_time = 0.01;
    run();
  }

  Engine& engine() { return *engine_; }
  void run() {
    const auto batches = static_cast<std::int64_t>(example_count) / batch;
    for (int i = 0; i < steps; ++i, ++done_)
      engine_->step(static_cast<std::uint64_t>(done_ / batches), done_ % batches * batch, batch,
                    rules_);
    engine_->losses();  // the device is done
  }
  double milliseconds_a_step() {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    return taken.count() / steps;
  }

 private:
  std::unique_ptr<Engine> engine_;
  std::int64_t done_ = 0;
  StepRules rules_;
};

// The fewest fp32 instructions with which one component of a pair can be compared, and with which
// the gradient of one side follows: what the share of the peak is reckoned by.
struct LeastWork {
  double forward, backward;
};
const std::map<std::string_view, LeastWork> least_work = {
    {"minus the sum of absolute differences", {2, 3}},  // subtract, add the size | …, sign, add
    {"minus the Euclidean distance", {2, 2}},           // subtract, multiply-add | the same
    {"minus the sum of distances lane by lane", {2, 2}},
    {"minus the distances from boxes", {7, 8}},
};

double milliseconds_of(const std::vector<cuda::PartTime>& parts, std::string_view name) {
  const auto part = std::ranges::find(parts, name, &cuda::PartTime::name);
  return part == parts.end() ? 0 : part->milliseconds;
}

void print_shares(const ModelVariant& variant, Engine& engine,
                  const std::vector<cuda::PartTime>& parts) {
  const auto work = least_work.find(variant.comparator);
  if (work == least_work.end()) return;
  const ModelShape& shape = engine.plan().shape;
  const double components = static_cast<double>(batch) * shape.entities * variant.candidate_size *
                            (shape.dim / variant.algebra_size);
  const auto share = [&](double each, std::string_view part) {
    return 100 * components * each / (1e-3 * milliseconds_of(parts, part)) /
           cuda::fp32_peak(engine);
  };
  fmt::print(
      "  {:<12} share of the fp32 peak: scores {:.0f} %, of queries {:.0f} %, of candidates {:.0f} "
      "%\n",
      "", share(work->second.forward, "score product"),
      share(work->second.backward, "query gradient product"),
      share(work->second.backward, "entity gradient product"));
}

void measure(const ModelVariant& variant, int turns) {
  const std::int32_t dim = dim_of(variant);
  TimedModel bsca(find_variant("bsca", {}), dim), own(variant, dim);
  std::vector<double> milliseconds, ratios;
  for (int turn = 0; turn < turns; ++turn) {
    milliseconds.push_back(own.milliseconds_a_step());
    ratios.push_back(milliseconds.back() / bsca.milliseconds_a_step());
  }
  cuda::start_profile(own.engine());
  own.run();
  const auto parts = cuda::stop_profile(own.engine());
  std::string name(variant.name);
  for (const Choice& choice : variant.choices) name.append(" ").append(choice.value);
  fmt::print("{:<28} dim {:>5} {:>9.3f} ms {:>8.2f} x bsca {:>9} ", name, dim, median(milliseconds),
             median(ratios), "");
  for (const cuda::PartTime& part : parts) fmt::print(" {} {:.2f}", part.name, part.milliseconds);
  fmt::print("\n");
  print_shares(variant, own.engine(), parts);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  if (orrery::cuda::device_count() == 0) {
    fmt::print("no GPU here: nothing to measure\n");
    return 0;
  }
  const int turns = orrery::repetition_in(argc, argv, 3).turns;
  try {
    for (const auto& variant : orrery::all_variants()) orrery::measure(variant, turns);
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
