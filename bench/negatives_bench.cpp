// A training step against drawn candidates, which updates the entities it has touched, beside one
// that updates every row of every table; and how long its bytes, counted on paper, would take at
// most. TComplEx.
//   negatives_bench [turns] [threads] [--device auto|cpu|cuda]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/candidates.h"
#include "engine/engine.h"
#include "gpu_parts.h"
#include "measure.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr std::uint64_t shuffle_key = 1;
constexpr std::int64_t batches = 100;  // of an epoch

struct Setting {
  ModelShape shape;
  std::int64_t batch = 0;
  std::int32_t negatives = 0;
  double bound = 1;
  int steps = 1;  // a turn
};

std::vector<Setting> settings_for(bool gpu) {
  if (!gpu) return {{{200'000, 460, 365, 128}, 1'024, 1'024, 0.75}};
  return {{{1'000'000, 460, 365, 256}, 4'096, 4'096, 0.3, 60},
          {{1'000'003, 461, 366, 200}, 3'001, 1'000, 0.2, 60}};
}

class Training {
 public:
  Training(const Setting& setting, const std::string& device, int threads, bool every_row)
      : setting_(setting) {
    const bool gpu = is_gpu(device);
    engine_ = make_engine({&find_variant("tcomplex", {}), setting.shape, {}},
                          {.device = device,
                           .threads = threads,
                           .precision = gpu ? Precision::automatic : Precision::fp32,
                           .batch = setting.batch,
                           .negatives = setting.negatives,
                           .every_row = every_row});
    start_randomly(*engine_, 1, 0.01, threads);
    engine_->set_examples(
        random_examples(setting.shape, static_cast<std::size_t>(batches * setting.batch)));
    rules_.loss.lambda_n3 = rules_.loss.lambda_time = 0.01;
    rules_.loss.negatives = setting.negatives;
  }

  // Losses are read when the device is done.
  void run() {
    for (int i = 0; i < setting_.steps; ++i, ++taken_)
      engine_->step(shuffle_key, taken_ % batches * setting_.batch, setting_.batch, rules_);
    engine_->losses();
  }
  std::string description() const { return engine_->description(); }
  std::vector<GpuPart> parts() {
    return parts_of_gpu_steps(*engine_, [this] { run(); });
  }

 private:
  const Setting& setting_;
  std::unique_ptr<Engine> engine_;
  StepRules rules_;
  std::int64_t taken_ = 0;
};

// Of a step on a GPU in bf16: each kernel reads what it needs once and writes its results once.
struct Bytes {
  double sparse = 0, every_row = 0;
};
Bytes bytes_on_paper(const Setting& setting) {
  const auto examples =
      random_examples(setting.shape, static_cast<std::size_t>(batches * setting.batch));
  const RandomPermutation order(examples.size(), shuffle_key);
  std::vector<Example> batch;
  for (std::int64_t i = 0; i < setting.batch; ++i)
    batch.push_back(examples[order(static_cast<std::uint64_t>(i))]);
  std::vector<std::int32_t> rows =
      candidate_ids(batch, setting.shape.entities, setting.negatives, random_bits(shuffle_key, 0));
  const auto candidates = static_cast<double>(rows.size());
  for (const Example& example : batch) rows.push_back(example.query.subject);
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const double touched = static_cast<double>(rows.size()), dim = setting.shape.dim,
               entities = setting.shape.entities, asked = static_cast<double>(setting.batch),
               others = setting.shape.relation_rows + setting.shape.times;
  constexpr double fp32 = 4, bf16 = 2;
  constexpr double update = 2 * (fp32 + fp32) + bf16;  // value and state; the rounded value
  const double picked = candidates * dim * (fp32 + bf16);
  const double queries = asked * dim * (fp32 + bf16);
  // Scores written, read by softmax, gradients written and read by two products; the rows of them.
  const double products =
      asked * candidates * (2 * fp32 + 3 * bf16) + (candidates + asked) * dim * (2 * bf16 + fp32);
  // Gradients of queries, subjects and answers read; contributions of three rows written and read.
  const double sweep = asked * dim * (3 * fp32 + 3 * 2 * bf16);
  const double always = picked + queries + products + sweep + others * dim * (update + fp32);
  const double gradients = candidates * dim * fp32;
  return {always + touched * dim * update + gradients,
          // The dense gradient: cleared, added to, read.
          always + entities * dim * (update + 2 * fp32) + 3 * gradients};
}

void measure(const Setting& setting, const std::string& device, const Repetition& repetition) {
  Training sparse(setting, device, repetition.threads, false);
  Training dense(setting, device, repetition.threads, true);
  std::vector<Part> parts = {{"step", [&] { sparse.run(); }, {}, {}},
                             {"step, every row", [&] { dense.run(); }, {}, {}}};
  take_turns(parts, repetition.turns);
  for (Part& part : parts)
    for (auto* times : {&part.milliseconds, &part.core_milliseconds})
      for (double& taken : *times) taken /= setting.steps;
  const std::span every_row(parts.begin() + 1, 1);
  const double ratio = ratio_of(parts[0], every_row, &Part::milliseconds);
  const double core_ratio = ratio_of(parts[0], every_row, &Part::core_milliseconds);
  const auto rate = [&](const Part& part) {
    return 1e3 * static_cast<double>(setting.batch) / median(part.milliseconds);
  };
  fmt::print("\n{}, batch {}, {} negatives, dim {}, {} entities\n", sparse.description(),
             setting.batch, setting.negatives, setting.shape.dim, setting.shape.entities);
  print_parts(parts);
  fmt::print("  {:<34}{:>10.3f}{:>12.3f}  (at most {})\n", "step / step, every row", ratio,
             core_ratio, setting.bound);
  for (const Part& part : parts)
    fmt::print("  {:<34}{:>10.3f} million examples/s\n", part.name, 1e-6 * rate(part));
  std::string paper;
  if (is_gpu(device)) {
    constexpr double bandwidth = 4.2e12;  // of one H200, copying
    const Bytes bytes = bytes_on_paper(setting);
    const auto line = [&](const char* name, double count, const Part& part) {
      const double least = 1e3 * count / bandwidth;
      fmt::print("  {:<34}{:>10.3f} GB, at 4.2 TB/s {:.3f} ms: {:.0f} % of the step\n", name,
                 1e-9 * count, least, 100 * least / median(part.milliseconds));
    };
    line("bytes of a step, on paper", bytes.sparse, parts[0]);
    line("the same, every row", bytes.every_row, parts[1]);
    for (const GpuPart& part : sparse.parts())
      fmt::print("  {:<34}{:>10.4f} ms on the device\n", part.name, part.milliseconds);
    paper =
        fmt::format("\"bytes\":{:.0f},\"every_row_bytes\":{:.0f},", bytes.sparse, bytes.every_row);
  }
  fmt::print(
      "{{\"bench\":\"negatives\",\"entities\":{},\"dim\":{},\"batch\":{},\"negatives\":{},"
      "\"step_ms\":{:.4f},\"every_row_ms\":{:.4f},\"examples_per_s\":{:.0f},{}"
      "\"ratio\":{:.4f},\"core_ratio\":{:.4f},\"bound\":{}}}\n",
      setting.shape.entities, setting.shape.dim, setting.batch, setting.negatives,
      median(parts[0].milliseconds), median(parts[1].milliseconds), rate(parts[0]), paper, ratio,
      core_ratio, setting.bound);
}

void run(std::span<char*> arguments) {
  std::vector<std::string_view> words(arguments.begin(), arguments.end());
  std::string device = "cpu";
  if (const auto found = std::ranges::find(words, "--device");
      found != words.end() && found + 1 != words.end()) {
    device = *(found + 1);
    words.erase(found, found + 2);
  }
  const Repetition repetition = repetition_in(words, 9);
  for (const Setting& setting : settings_for(is_gpu(device))) measure(setting, device, repetition);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  try {
    orrery::run({argv + 1, argv + argc});
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
