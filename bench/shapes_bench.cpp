// Sizes that nobody tuned for beside the next even size: a training step, a step with side losses
// and ranking, in turns inside one run. A size has less work than its even neighbour, so a ratio
// above 1 is what its oddness costs; the worst ratio stands last.
//   shapes_bench [turns] [threads] [--device auto|cpu|cuda] [--precision fp32|tf32|bf16] [--json]
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/engine.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

struct Size {
  ModelShape shape;
  std::int64_t batch = 0;
};

struct Neighbours {
  std::string name;
  Size odd, even;
};

struct Options {
  int turns = 9;
  int threads = 0;
  std::string device = "auto";
  std::string precision;  // "": all that the device has
  bool json = false;
};

std::int32_t next_even(std::int32_t number) { return (number + 63) / 64 * 64; }

// One size of the base is exchanged at a time, and at last all of them.
std::vector<Neighbours> neighbours_of(const Size& base, std::span<const std::int32_t> entities,
                                      std::span<const std::int32_t> dims) {
  std::vector<Neighbours> all;
  const auto add = [&](std::string name, const Size& odd, const Size& even) {
    all.push_back({std::move(name), odd, even});
  };
  for (const std::int32_t count : entities) {
    Size odd = base, even = base;
    odd.shape.entities = count;
    even.shape.entities = next_even(count);
    add(fmt::format("{} entities", count), odd, even);
  }
  for (const std::int64_t less : {1, 63}) {
    Size odd = base;
    odd.batch -= less;
    add(fmt::format("batch {}", odd.batch), odd, base);
  }
  for (const std::int32_t dim : dims) {
    Size odd = base, even = base;
    odd.shape.dim = dim;
    even.shape.dim = (dim + 255) / 256 * 256;
    add(fmt::format("dim {}", dim), odd, even);
  }
  Size odd = base;
  odd.shape.relation_rows -= 2;
  add(fmt::format("{} relation rows", odd.shape.relation_rows), odd, base);
  odd = base;
  odd.shape.times -= 1;
  add(fmt::format("{} times", odd.shape.times), odd, base);
  odd.shape.entities -= 39;
  odd.shape.relation_rows -= 52;
  odd.shape.times -= 18;
  odd.shape.dim -= 8;
  odd.batch -= 1;
  add("all of them odd", odd, base);
  return all;
}

std::vector<Neighbours> all_neighbours(bool gpu) {
  if (gpu) {
    constexpr std::int32_t entities[] = {7'127, 7'128, 7'129, 10'622, 12'554, 23'033, 499, 501};
    constexpr std::int32_t dims[] = {1'784, 2'040};
    return neighbours_of({{7'168, 512, 384, 2'048}, 4'096}, entities, dims);
  }
  constexpr std::int32_t entities[] = {7'127, 7'129, 8'191, 10'622, 12'554, 33'001, 499, 501};
  constexpr std::int32_t dims[] = {232, 248, 1'016};
  return neighbours_of({{7'168, 512, 384, 256}, 512}, entities, dims);
}

// An engine of one size, and what it is timed in.
class Subject {
 public:
  Subject(const Size& size, Precision precision, const Options& options)
      : batch_(size.batch), on_gpu_(is_gpu(options.device)) {
    const auto examples = static_cast<std::size_t>(batches * batch_);
    engine_ = make_engine({&find_variant("bsca", {{"attention", "split"}}), size.shape, {}},
                          {.device = options.device,
                           .threads = options.threads,
                           .precision = precision,
                           .batch = batch_,
                           .auxiliary = true});
    start_randomly(*engine_, 1, 0.01, options.threads);
    const auto all = random_examples(size.shape, examples);
    questions_.resize(on_gpu_ ? 8'192 : 1'024);
    counts_.resize(questions_.size());
    for (std::size_t i = 0; i < questions_.size(); ++i)
      questions_[i] = {{all[i % examples].query, {}, false}, all[i % examples].object, {}};
    engine_->set_examples(all);
    plain_.loss.lambda_n3 = plain_.loss.lambda_time = 0.01;
    with_sides_ = plain_;
    with_sides_.loss.auxiliary = {0.5, 0.5};
  }

  std::string description() const { return engine_->description(); }
  void step() { run(plain_); }
  void step_with_sides() { run(with_sides_); }
  void rank() {
    for (int i = 0; i < (on_gpu_ ? 4 : 1); ++i) engine_->rank(questions_, counts_);
  }

 private:
  static constexpr std::int64_t batches = 4;

  // Losses are read when the device is done.
  void run(const StepRules& rules) {
    for (int i = 0; i < (on_gpu_ ? 10 : 1); ++i)
      engine_->step(1, taken_++ % batches * batch_, batch_, rules);
    engine_->losses();
  }

  std::int64_t batch_;
  bool on_gpu_;
  std::unique_ptr<Engine> engine_;
  std::int64_t taken_ = 0;
  StepRules plain_, with_sides_;
  std::vector<RankQuestion> questions_;
  std::vector<RankCounts> counts_;
};

struct Ratios {
  double step, auxiliary, rank;
  double worst() const { return std::max({step, auxiliary, rank}); }
};

Ratios measure(const Neighbours& pair, Precision precision, const Options& options,
               std::string_view name_of_precision) {
  Subject odd(pair.odd, precision, options), even(pair.even, precision, options);
  // A warm-up, for a GPU's clock still follows the work before it; then odd, even, even, odd.
  std::vector<Part> parts;
  for (const auto kind : {&Subject::step, &Subject::step_with_sides, &Subject::rank})
    for (Subject* subject : {&even, &odd, &even, &even, &odd})
      parts.push_back({"", [kind, subject] { (subject->*kind)(); }, {}, {}});
  take_turns(parts, options.turns);
  const auto ratio = [&](std::size_t kind) {
    const Part* four = &parts[5 * kind + 1];
    std::vector<double> ratios;
    for (std::size_t turn = 0; turn < four->milliseconds.size(); ++turn)
      ratios.push_back((four[0].milliseconds[turn] + four[3].milliseconds[turn]) /
                       (four[1].milliseconds[turn] + four[2].milliseconds[turn]));
    return median(ratios);
  };
  const Ratios ratios{ratio(0), ratio(1), ratio(2)};
  if (options.json) {
    fmt::print(
        "{{\"bench\":\"shapes\",\"engine\":\"{}\",\"precision\":\"{}\",\"size\":\"{}\","
        "\"step\":{:.4f},\"side_losses\":{:.4f},\"ranking\":{:.4f}}}\n",
        odd.description(), name_of_precision, pair.name, ratios.step, ratios.auxiliary,
        ratios.rank);
  } else {
    fmt::print("  {:<22}{:>10.3f}{:>14.3f}{:>10.3f}{:>12.2f}\n", pair.name, ratios.step,
               ratios.auxiliary, ratios.rank, median(parts[1].milliseconds));
  }
  return ratios;
}

Options parse(std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 0, numbers = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--json")
      options.json = true;
    else if (word == "--device" && i + 1 < arguments.size())
      options.device = arguments[++i];
    else if (word == "--precision" && i + 1 < arguments.size())
      options.precision = arguments[++i];
    else if (const int number = number_in(word).value_or(0); number > 0 && numbers < 2)
      (numbers++ == 0 ? options.turns : options.threads) = number;
    else
      fail_request("'{}' is not understood; there are --device, --precision and --json", word);
  }
  return options;
}

void run(const Options& options) {
  const bool gpu = is_gpu(options.device);
  struct Named {
    const char* name;
    Precision precision;
  };
  double worst = 0;
  std::string where;
  for (const Named& how : {Named{"bf16", Precision::bf16}, Named{"tf32", Precision::tf32},
                           Named{"fp32", Precision::fp32}}) {
    const bool has = gpu || how.precision != Precision::tf32;
    if (!has || (!options.precision.empty() && options.precision != how.name)) continue;
    if (!options.json)
      fmt::print(
          "\n{}, {}: the time of a size / that of the next even one\n  {:<22}{:>10}{:>14}"
          "{:>10}{:>12}\n",
          options.device, how.name, "", "step", "auxiliary losses", "ranking", "steps, ms");
    for (const Neighbours& pair : all_neighbours(gpu)) {
      const double ratio = measure(pair, how.precision, options, how.name).worst();
      if (ratio <= worst) continue;
      worst = ratio;
      where = fmt::format("{}, {}", pair.name, how.name);
    }
  }
  fmt::print("{{\"bench\":\"shapes\",\"worst\":{:.4f},\"where\":\"{}\"}}\n", worst, where);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // rows are read while others are measured
  try {
    orrery::run(orrery::parse({argv + 1, argv + argc}));
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
