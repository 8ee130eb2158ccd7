#include "orrery/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/processes.h"
#include "base/random.h"
#include "orrery/model.h"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

// What a trial may change, and by what factors: the weights on which results depend most.
struct Searched {
  const char* name;
  std::array<double, 5> factors;
};
constexpr Searched searched[] = {{"lambda-n3", {0.25, 0.5, 1, 2, 4}},
                                 {"lambda-time", {0.1, 0.3, 1, 3, 10}},
                                 {"lr", {0.5, 0.7, 1, 1.4, 2}}};
constexpr std::array dropouts = {0.0, 0.1, 0.2, 0.3, 0.4};

bool is_given(const OptionChanges& given, const std::string& name) {
  return std::ranges::any_of(
      given, [&](const auto& change) { return option_named(change.first).name == name; });
}

// Trial 0 is the start itself.
OptionChanges changes_of(std::uint64_t trial, const TrainOptions& start,
                         const OptionChanges& given) {
  OptionChanges changes;
  if (trial == 0) return changes;
  const std::uint64_t key = random_bits(start.seed, mix(trial));
  std::uint64_t counter = 0;
  for (const Searched& option : searched) {
    const double factor = option.factors.at(random_below(key, counter++, 5));
    if (is_given(given, option.name) || factor == 1) continue;
    const double value = factor * std::get<double>(option_value(start, option.name));
    changes.emplace_back(option.name, fmt::format("{:.4g}", value));
  }
  const double dropout = dropouts.at(random_below(key, counter, 5));
  if (!is_given(given, "dropout") && dropout != start.dropout)
    changes.emplace_back("dropout", fmt::format("{}", dropout));
  return changes;
}

class UntilTheTimeIsUp : public TrainObserver {
 public:
  UntilTheTimeIsUp(Clock::time_point end, TuneObserver& observer)
      : end_(end), observer_(observer) {}
  bool is_up() const { return Clock::now() >= end_; }
  bool interrupted() {
    interrupted_ = interrupted_ || observer_.stop_requested();
    return interrupted_;
  }
  bool stop_requested() override { return interrupted() || is_up(); }

 private:
  Clock::time_point end_;
  TuneObserver& observer_;
  bool interrupted_ = false;
};

// A model that diverges is a trial without a score.
TuneTrial tried(const Dataset& data, TrainOptions options, OptionChanges changes,
                TrainObserver& observer) {
  TuneTrial trial{.changes = std::move(changes), .valid = {}};
  set_options(options, trial.changes);
  const auto begun = Clock::now();
  try {
    trial.valid = train(data, options, &observer).training().summary.best_valid;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::model) throw;
  }
  trial.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return trial;
}

// Random trials repeat where little is free: a repeated one is no news.
bool was_tried(const std::vector<TuneTrial>& trials, const OptionChanges& changes) {
  return std::ranges::any_of(trials,
                             [&](const TuneTrial& trial) { return trial.changes == changes; });
}

}  // namespace

Tuning tune(const Dataset& data, const OptionChanges& given, double seconds,
            TuneObserver* observer) {
  if (current_processes() != nullptr)
    fail_request(About{.option = "tune", .advice = "tune first, then share"},
                 "$tune works in one process");
  if (data.facts(Split::valid).empty())
    fail_request(About{.option = "tune", .advice = worded("cut some off with $split")},
                 "$tune needs facts to validate with, and there are none");
  TuneObserver silent;
  UntilTheTimeIsUp clock(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(seconds)),
                         observer != nullptr ? *observer : silent);
  constexpr std::uint64_t most_trials = 1000;
  const TrainOptions start = fitting_options(data, given).options;
  Tuning tuning{.options = start, .trials = {}};
  double best = -1;
  for (std::uint64_t i = 0; i < most_trials && !clock.stop_requested(); ++i) {
    OptionChanges changes = changes_of(i, start, given);
    if (was_tried(tuning.trials, changes)) continue;
    TuneTrial trial = tried(data, start, std::move(changes), clock);
    trial.best = trial.valid && trial.valid->mrr > best;
    if (trial.best) {
      best = trial.valid->mrr;
      tuning.options = start;
      set_options(tuning.options, trial.changes);
    }
    if (observer != nullptr) observer->on_trial(trial);
    tuning.trials.push_back(std::move(trial));
  }
  tuning.interrupted = clock.interrupted();
  return tuning;
}

double seconds_of(const std::string& duration) {
  double number = 0;
  const char* const end = duration.data() + duration.size();
  const auto [stop, error] = std::from_chars(duration.data(), end, number);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || seconds == 0 || !std::isfinite(number) || number <= 0)
    fail_request(About{.option = "tune", .advice = "write 90s, 5m or 1h"}, "'{}' is no duration",
                 duration);
  return number * seconds;
}

}  // namespace orrery
