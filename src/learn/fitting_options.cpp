#include "learn/fitting_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/optimizer.h"
#include "page/text_table.h"

namespace orrery {
namespace {

// The largest power of two that is no more than `x`.
std::int64_t power_of_two_below(double x) {
  return static_cast<std::int64_t>(std::exp2(std::floor(std::log2(std::max(x, 1.0)))));
}

// Two digits say as much as the rules know.
double rounded(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 1);
  return std::round(x / unit) * unit;
}

class Rules {
 public:
  Rules(const DataCounts& counts, const OptionChanges& given) : counts_(counts), given_(given) {
    set_options(fit_.options, given);
  }

  FittingOptions take() && {
    choose_dim();
    choose_batch();
    choose_length();
    choose_regularisers();
    choose_history();
    return std::move(fit_);
  }

 private:
  bool is_given(std::string_view name) const {
    return std::ranges::any_of(
        given_, [&](const auto& change) { return option_named(change.first).name == name; });
  }

  void choose(const std::string& name, const OptionValue& value, std::string reason) {
    if (is_given(name)) return;
    set_option(fit_.options, name, value);
    fit_.chosen.push_back({name, option_text(value), std::move(reason)});
  }

  void choose_dim() {
    const auto dim = std::clamp<std::int64_t>(
        power_of_two_below(std::sqrt(static_cast<double>(counts_.train))), 64, 512);
    choose("dim", dim,
           fmt::format("about the square root of {} facts, from 64 to 512",
                       grouped(static_cast<std::uint64_t>(counts_.train))));
  }

  void choose_batch() {
    const std::int64_t examples = counts_.train * counts_.examples_per_fact;
    const auto batch = std::clamp<std::int64_t>(examples / steps_wanted, 32, 6000);
    choose("batch", batch,
           fmt::format("{} examples in about {} steps, from 32 to 6,000 a step",
                       grouped(static_cast<std::uint64_t>(examples)), steps_wanted));
  }

  // Validation says when to stop. Who names the epochs gets them all.
  void choose_length() {
    const bool never_validated = is_given("eval-every") && fit_.options.eval_every == 0;
    if (counts_.valid == 0 || never_validated) {
      choose("epochs", std::int64_t{100},
             never_validated ? "without validation" : "there are no facts to validate with");
      return;
    }
    const bool large = counts_.train > 1'000'000;
    choose("eval-every", std::int64_t{large ? 1 : 5},
           fmt::format("{} facts to validate with",
                       grouped(static_cast<std::uint64_t>(counts_.valid))));
    if (is_given("epochs")) return;
    choose("epochs", std::int64_t{large ? 40 : 200}, "at most; validation ends it earlier");
    choose("patience", std::int64_t{6}, "validations without a better MRR");
  }

  void choose_regularisers() {
    const double facts_per_entity =
        static_cast<double>(counts_.train) /
        static_cast<double>(std::max<std::int64_t>(counts_.entities, 1));
    const std::string density = fmt::format("{:.1f} facts an entity", facts_per_entity);
    const Optimizer& optimizer = find_optimizer(fit_.options.optimizer);
    choose("lr", optimizer.learning_rate,
           optimizer.index == 0 ? "for every data set"
                                : fmt::format("for every data set, by {}", optimizer.name));
    choose("lambda-time", 0.1, "for every data set");
    if (counts_.train < 1'000) {
      choose("lambda-n3", 0.1, "fewer than 1,000 facts");
      choose("dropout", 0.2, "fewer than 1,000 facts");
      return;
    }
    choose("lambda-n3", rounded(std::clamp(0.3 / std::pow(facts_per_entity, 3), 0.004, 0.1)),
           density);
    choose("dropout", facts_per_entity < 5 ? 0.3 : 0.2, density);
  }

  // Fitted after training: few facts would fit chance.
  void choose_history() {
    if (counts_.valid < fewest_to_fit) return;
    choose(
        "history", std::string("near"),
        fmt::format("{} facts to fit it with", grouped(static_cast<std::uint64_t>(counts_.valid))));
  }

  static constexpr std::int64_t steps_wanted = 30;
  static constexpr std::int64_t fewest_to_fit = 100;

  const DataCounts& counts_;
  const OptionChanges& given_;
  FittingOptions fit_;
};

}  // namespace

FittingOptions fitting_options(const DataCounts& counts, const OptionChanges& given) {
  return Rules(counts, given).take();
}

}  // namespace orrery
