// One training step of BSCA on a GPU in each precision beside its three matrix products alone, and
// the parts the step is made of; and the time to rank a test split. For the shapes of the data sets
// of the literature. With --model the same of another model, of --dim dimensions, in the
// precision that the GPU takes by itself; where it compares by a distance, that is timed in place
// of the products.
//   gpu_step_bench [turns] [--json] [--shape NAME] [--quick] [--model NAME] [--dim N]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <span>
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
constexpr std::size_t question_count = 17'926;  // of ICEWS14's test split

// The bounds are those for one H200; none where none was set.
struct Setting {
  const char* attention;
  Precision precision;
  std::optional<double> at_most_ms = {};
};

struct Workload {
  std::string name;
  ModelShape shape;
  std::size_t example_count;
  std::vector<Setting> settings;
  bool ranked = false;
};

std::vector<Workload> all_workloads() {
  using enum Precision;
  const Setting split_bf16{"split", bf16}, split_tf32{"split", tf32}, none_bf16{"none", bf16};
  return {
      {"icews14",
       {7'128, 460, 365, 4'000},
       145'652,
       {{"split", bf16, 2.5}, {"split", tf32, 4.8}, {"split", fp32}, {"none", bf16, 2.3}},
       true},
      {"icews05-15",
       {10'488, 502, 4'017, 4'000},
       737'924,
       {{"split", bf16, 4.2}, split_tf32, none_bf16}},
      {"gdelt", {500, 40, 366, 4'000}, 5'471'370, {{"split", bf16, 1.2}, split_tf32, none_bf16}},
      {"icews14-8000", {7'128, 460, 365, 8'000}, 145'652, {split_bf16, split_tf32, none_bf16}},
  };
}

struct Options {
  int turns = 5;
  bool json = false;
  bool quick = false;
  std::string shape;  // "": all of them
  std::string model = "bsca";
  std::int32_t dim = 0;  // 0: that of the workload
};

const char* name_of(Precision precision) {
  return precision == Precision::bf16        ? "bf16"
         : precision == Precision::tf32      ? "tf32"
         : precision == Precision::automatic ? "auto"
                                             : "fp32";
}

double total(const std::vector<cuda::PartTime>& parts) {
  double sum = 0;
  for (const cuda::PartTime& part : parts) sum += part.milliseconds;
  return sum;
}

// Full batches, epoch after epoch; the last batch of an epoch is smaller and would flatter us.
class Training {
 public:
  Training(Engine& engine, std::vector<Example> examples)
      : engine_(engine), batches_(static_cast<std::int64_t>(examples.size()) / batch) {
    engine_.set_examples(std::move(examples));
    rules_.loss.lambda_n3 = 0.008;
    rules_.loss.lambda_time = 0.01;
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i, ++done_)
      engine_.step(static_cast<std::uint64_t>(done_ / batches_), done_ % batches_ * batch, batch,
                   rules_);
  }

  // Milliseconds a step by the clock on the wall: the losses are read when the device is done.
  double timed(int steps) {
    engine_.losses();
    const auto start = std::chrono::steady_clock::now();
    run(steps);
    engine_.losses();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    return taken.count() / steps;
  }

 private:
  Engine& engine_;
  std::int64_t batches_;
  std::int64_t done_ = 0;
  StepRules rules_;
};

struct StepTimes {
  std::vector<double> step, products, ratio;  // one a turn
  std::vector<cuda::PartTime> parts;
  std::vector<cuda::PartTime> alone;  // the products, in the last turn
  std::uint64_t device_bytes = 0;
};

StepTimes measure_step(const Workload& workload, const Setting& setting, Engine& engine,
                       const Options& options) {
  const bool brief = options.quick || setting.precision == Precision::fp32;
  const int steps = brief ? 10 : 60;
  Training training(engine, random_examples(workload.shape, workload.example_count));
  training.run(brief ? 3 : 10);
  StepTimes times;
  for (int turn = 0; turn < options.turns; ++turn) {
    times.step.push_back(training.timed(steps));
    times.alone = cuda::time_products_alone(engine, steps / 2);
    times.products.push_back(total(times.alone));
    times.ratio.push_back(times.step.back() / times.products.back());
  }
  cuda::start_profile(engine);
  training.run(steps);
  times.parts = cuda::stop_profile(engine);
  times.device_bytes = cuda::device_bytes(engine);
  return times;
}

void print_step(const Engine& engine, const Setting& setting, const StepTimes& times) {
  const double step = median(times.step);
  const auto line = [step](std::string_view name, double milliseconds) {
    fmt::print("  {:<34}{:>10.3f}{:>9.1f} %\n", name, milliseconds, 100 * milliseconds / step);
  };
  fmt::print("\n{}, {} {}\n", engine.description(), engine.plan().variant->name, setting.attention);
  fmt::print("  {:<34}{:>10}{:>11}\n", "", "ms", "of a step");
  for (const cuda::PartTime& part : times.parts) line(part.name, part.milliseconds);
  line("all parts", total(times.parts));
  for (const cuda::PartTime& part : times.alone) line(part.name + ", alone", part.milliseconds);
  line("three products, alone", median(times.products));
  line("step", step);
  if (setting.at_most_ms) fmt::print("  {:<34}{:>10.3f}\n", "  at most", *setting.at_most_ms);
  fmt::print("  {:<34}{:>10.3f}\n", "step / three products", median(times.ratio));
}

std::string json_of(const std::optional<double>& bound) {
  return bound ? fmt::format("{}", *bound) : "null";
}

std::string json_of(const std::vector<cuda::PartTime>& parts) {
  std::string members;
  for (const cuda::PartTime& part : parts)
    members +=
        fmt::format("{}\"{}\":{:.4f}", members.empty() ? "" : ",", part.name, part.milliseconds);
  return "{" + members + "}";
}

void print_step_json(const Workload& workload, const Engine& engine, const Setting& setting,
                     const StepTimes& times) {
  const ModelShape& shape = workload.shape;
  fmt::print(
      "{{\"bench\":\"gpu_step\",\"row\":\"step\",\"model\":\"{}\",\"engine\":\"{}\",\"shape\":\"{}"
      "\","
      "\"entities\":{},\"relation_rows\":{},\"times\":{},\"dim\":{},\"batch\":{},"
      "\"attention\":\"{}\",\"precision\":\"{}\",\"ms\":{:.4f},\"at_most_ms\":{},"
      "\"products_ms\":{:.4f},\"ratio\":{:.4f},\"device_bytes\":{},\"parts\":{},"
      "\"products\":{}}}\n",
      engine.plan().variant->name, engine.description(), workload.name, shape.entities,
      shape.relation_rows, shape.times, shape.dim, batch, setting.attention,
      name_of(setting.precision), median(times.step), json_of(setting.at_most_ms),
      median(times.products), median(times.ratio), times.device_bytes, json_of(times.parts),
      json_of(times.alone));
}

// Questions with about five known answers each, the target among them.
struct Questions {
  std::vector<std::vector<std::int32_t>> known;
  std::vector<RankQuestion> asked;

  explicit Questions(const ModelShape& shape) : known(question_count), asked(question_count) {
    const auto examples = random_examples(shape, question_count);
    for (std::size_t i = 0; i < question_count; ++i) {
      known[i] = {examples[i].object};
      for (std::size_t j = 0; j < 4; ++j)
        known[i].push_back(random_name(3, 4 * i + j, shape.entities));
      std::ranges::sort(known[i]);
      known[i].erase(std::unique(known[i].begin(), known[i].end()), known[i].end());
      asked[i] = {{examples[i].query, {}, false}, examples[i].object, known[i]};
    }
  }
};

std::unique_ptr<Engine> random_engine(const ModelShape& shape, const Setting& setting,
                                      const Options& options) {
  std::map<std::string, std::string> choices;
  if (options.model == "bsca") choices["attention"] = setting.attention;
  auto engine = make_engine({&find_variant(options.model, choices), shape, {}},
                            {.device = "cuda", .precision = setting.precision});
  start_randomly(*engine, 1, 0.01);
  return engine;
}

void measure_rank(const Workload& workload, const Setting& setting, const Options& options) {
  constexpr double at_most_ms = 60;  // on one H200
  const auto engine = random_engine(workload.shape, setting, options);
  const Questions questions(workload.shape);
  std::vector<RankCounts> counts(question_count);
  std::vector<Part> parts = {
      {"ranking", [&] { engine->rank(questions.asked, counts); }, {}, {}},
  };
  take_turns(parts, options.turns);
  const double taken = median(parts[0].milliseconds);
  const std::uint64_t bytes = cuda::device_bytes(*engine);
  if (!options.json)
    fmt::print("\n{}, ranking {} questions\n  {:<34}{:>10.3f} ms  (at most {})\n",
               engine->description(), question_count, parts[0].name, taken, at_most_ms);
  fmt::print(
      "{{\"bench\":\"gpu_step\",\"row\":\"rank\",\"engine\":\"{}\",\"shape\":\"{}\","
      "\"precision\":\"{}\",\"questions\":{},\"ms\":{:.3f},\"at_most_ms\":{},"
      "\"device_bytes\":{}}}\n",
      engine->description(), workload.name, name_of(setting.precision), question_count, taken,
      at_most_ms, bytes);
}

void measure(const Workload& workload, const Options& options) {
  const ModelShape& shape = workload.shape;
  if (!options.json)
    fmt::print("\n== {}: {} entities, {} relation rows, {} times, dim {}, batch {}\n",
               workload.name, shape.entities, shape.relation_rows, shape.times, shape.dim, batch);
  for (const Setting& setting : workload.settings) {
    const auto engine = random_engine(shape, setting, options);
    const StepTimes times = measure_step(workload, setting, *engine, options);
    if (!options.json) print_step(*engine, setting, times);
    print_step_json(workload, *engine, setting, times);
  }
  if (!workload.ranked) return;
  for (const Setting& setting : workload.settings)
    if (std::string_view(setting.attention) != "none") measure_rank(workload, setting, options);
}

// ./dev bench hands all programs the same words; a second number, of threads, means nothing here.
Options parse(std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--json")
      options.json = true;
    else if (word == "--quick")
      options.quick = true;
    else if (word == "--shape" && i + 1 < arguments.size())
      options.shape = arguments[++i];
    else if (word == "--model" && i + 1 < arguments.size())
      options.model = arguments[++i];
    else if (word == "--dim" && i + 1 < arguments.size() && number_in(arguments[i + 1]))
      options.dim = *number_in(arguments[++i]);
    else if (const int number = number_in(word).value_or(0); number > 0 && i == 0)
      options.turns = number;
    else if (number <= 0)
      fail_request(
          "'{}' is not understood; there are --json, --shape NAME, --quick, --model NAME and --dim "
          "N",
          word);
  }
  return options;
}

void run(const Options& options) {
  std::string names;
  bool found = false;
  auto workloads = all_workloads();
  for (Workload& workload : workloads) {
    names += " " + workload.name;
    if (!options.shape.empty() && options.shape != workload.name) continue;
    found = true;
    if (options.model != "bsca") workload.settings = {{"", Precision::automatic}};
    if (options.dim > 0) workload.shape.dim = options.dim;
    measure(workload, options);
  }
  if (!found) fail_request("--shape '{}' is unknown; there are{}", options.shape, names);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // rows are read while others are measured
  try {
    const auto options = orrery::parse({argv + 1, argv + argc});
    if (orrery::cuda::device_count() == 0)
      fmt::print("no GPU here: nothing to measure\n");
    else
      orrery::run(options);
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
