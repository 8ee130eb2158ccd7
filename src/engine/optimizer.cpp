#include "engine/optimizer.h"

#include <fmt/ranges.h>

#include "base/error.h"
#include "engine/optimizers/list.h"

namespace orrery {
namespace {

template <class... Optimizers>
std::vector<Optimizer> describe(OptimizerList<Optimizers...>) {
  std::vector<Optimizer> all;
  (all.push_back({.name = Optimizers::name,
                  .index = all.size(),
                  .states = Optimizers::states,
                  .zero_gradients_change_nothing = Optimizers::zero_gradients_change_nothing,
                  .learning_rate = Optimizers::learning_rate,
                  .epsilon = Optimizers::epsilon,
                  .step_size = Optimizers::step_size}),
   ...);
  return all;
}

}  // namespace

std::span<const Optimizer> all_optimizers() {
  static const std::vector<Optimizer> all = describe(AllOptimizers{});
  return all;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const Optimizer& optimizer : all_optimizers()) names.emplace_back(optimizer.name);
  return names;
}

const Optimizer& find_optimizer(std::string_view name) {
  for (const Optimizer& optimizer : all_optimizers())
    if (name.empty() || optimizer.name == name) return optimizer;
  fail_request(About{.option = "optimizer"}, "there is no optimizer '{}', only {}", name,
               fmt::join(optimizer_names(), ", "));
}

}  // namespace orrery
