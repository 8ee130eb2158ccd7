// One training step of BSCA beside its three matrix products alone, each in one call on all cores,
// and the parts the step is made of; and a step with self-distillation beside one without.
// ICEWS14's shape.
//   step_bench [turns] [threads]
#include <fmt/format.h>

#include <cstdlib>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/cpu/kernels.h"
#include "engine/engine.h"
#include "measure.h"
#include "opponent.h"
#include "random_examples.h"

namespace orrery {
namespace {

constexpr std::int32_t entities = 7'128, relation_rows = 460, times = 365, dim = 1'024;
constexpr std::size_t batch = 2'000;
constexpr std::size_t example_count = 145'652;
constexpr double taught_bound = 1.4;

template <class T>
std::vector<T> random_matrix(std::size_t size, std::uint64_t key, float scale) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i)
    values[i] = scale * static_cast<float>(random_uniform(key, i) - 0.5);
  if constexpr (std::is_same_v<T, float>) {
    return values;
  } else {
    std::vector<T> rounded(size);
    cpu::available_kernels().front()->to_bf16(values.data(), rounded.data(), size);
    return rounded;
  }
}

// The three products of a step as a program would call them that has nothing else to do.
template <class T>
struct Products {
  std::vector<T> queries = random_matrix<T>(batch * dim, 1, 0.1F);
  std::vector<T> rows = random_matrix<T>(std::size_t{entities} * dim, 2, 0.1F);
  std::vector<T> gradients = random_matrix<T>(batch * entities, 3, 1e-3F);
  std::vector<float> scores = std::vector<float>(batch * entities);
  std::vector<float> query_gradients = std::vector<float>(batch * dim);
  std::vector<float> entity_gradients = std::vector<float>(std::size_t{entities} * dim);

  void score() {
    multiply_on_all_cores(batch, entities, dim, {queries.data(), dim, false},
                          {rows.data(), dim, true}, scores.data(), entities);
  }
  void query_gradient() {
    multiply_on_all_cores(batch, dim, entities, {gradients.data(), entities, false},
                          {rows.data(), dim, false}, query_gradients.data(), dim);
  }
  void entity_gradient() {
    multiply_on_all_cores(entities, dim, batch, {gradients.data(), entities, true},
                          {queries.data(), dim, false}, entity_gradients.data(), dim);
  }
};

template <class T>
void measure(Precision precision, double bound, int turns, int threads) {
  const char* name = precision == Precision::fp32 ? "fp32" : "bf16";
  const ModelShape shape{entities, relation_rows, times, dim};
  const auto engine =
      make_engine({&find_variant("bsca", {{"attention", "split"}}), shape, {}},
                  {.threads = threads, .precision = precision, .averages = true, .teacher = true});
  start_randomly(*engine, 1, 0.01, threads);
  engine->set_examples(random_examples(shape, example_count));
  StepRules rules;
  rules.loss.lambda_n3 = rules.loss.lambda_time = 0.01;
  engine->update_average(0.8);
  StepRules taught = rules;
  taught.loss.teacher_share = 0.3F;
  Products<T> products;
  std::int64_t taken = 0;
  const auto step_with = [&](const StepRules& how) {
    constexpr auto steps = static_cast<std::int64_t>(example_count / batch);
    engine->step(1, taken++ % steps * std::int64_t{batch}, batch, how);
  };
  std::vector<Part> parts = {
      {"product: scores", [&] { products.score(); }, {}, {}},
      {"product: query gradients", [&] { products.query_gradient(); }, {}, {}},
      {"product: entity gradients", [&] { products.entity_gradient(); }, {}, {}},
      {"step", [&] { step_with(rules); }, {}, {}},
      {"step with self-distillation", [&] { step_with(taught); }, {}, {}},
  };
  take_turns(parts, turns);
  const std::span products_alone(parts.begin(), 3);
  const double ratio = ratio_of(parts[3], products_alone, &Part::milliseconds);
  const double core_ratio = ratio_of(parts[3], products_alone, &Part::core_milliseconds);
  const std::span untaught(parts.begin() + 3, 1);
  const double taught_ratio = ratio_of(parts[4], untaught, &Part::milliseconds);
  const double taught_core_ratio = ratio_of(parts[4], untaught, &Part::core_milliseconds);
  double products_ms = 0;
  for (const Part& part : products_alone) products_ms += median(part.milliseconds);
  fmt::print("\n{}, batch {}, dim {}, {} entities\n", engine->description(), batch, dim, entities);
  print_parts(parts);
  fmt::print("  {:<34}{:>10.3f}{:>12.3f}  (at most {})\n", "step / three products", ratio,
             core_ratio, bound);
  fmt::print("  {:<34}{:>10.3f}{:>12.3f}  (at most {})\n", "step with self-distillation / step",
             taught_ratio, taught_core_ratio, taught_bound);
  fmt::print(
      "{{\"bench\":\"step\",\"precision\":\"{}\",\"step_ms\":{:.2f},\"products_ms\":{:.2f},"
      "\"ratio\":{:.4f},\"core_ratio\":{:.4f},\"bound\":{},\"taught_ratio\":{:.4f},"
      "\"taught_bound\":{}}}\n",
      name, median(parts[3].milliseconds), products_ms, ratio, core_ratio, bound, taught_ratio,
      taught_bound);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  const auto [turns, threads] = orrery::repetition_in(argc, argv, 9);
  orrery::measure<float>(orrery::Precision::fp32, 1.25, turns, threads);
  orrery::measure<std::uint16_t>(orrery::Precision::bf16, 1.4, turns, threads);
}
