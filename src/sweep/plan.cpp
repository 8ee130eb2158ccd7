#include "sweep/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "api/judged_run.h"
#include "compare/contenders.h"
#include "data/fingerprint.h"
#include "data/load.h"
#include "judge/questions.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "sweep/effect.h"
#include "sweep/file.h"
#include "sweep/refusal.h"
#include "sweep/search_value.h"

namespace orrery {
namespace {

constexpr double most_trials = 100'000;
constexpr std::int64_t most_seeds = 1000;

// They decide which questions validation asks, or are the sweep's own business.
constexpr std::array<std::string_view, 5> never_searched = {"data", "split", "skip-bad",
                                                            "granularity", "seed"};

void check_least(const SweepOptions& options, const std::string& name,
                 const std::optional<std::int64_t>& value, std::int64_t least) {
  if (value && *value < least)
    fail_at(options, name, "{} is {}, but must be at least {}", name, *value, least);
}

void refuse_outside_halving(const SweepOptions& options, const std::string& name,
                            const std::optional<std::int64_t>& value) {
  if (value && options.search != Search::halving)
    fail_at(options, name, "{} is of search = \"halving\" alone, and this is a {} search", name,
            name_of(options.search));
}

void check_seeds(const SweepOptions& options) {
  if (options.seeds < 1 || options.seeds > most_seeds)
    fail_at(options, "seeds",
            "seeds is {}, but must be from 1 to {}: each trial is run once with each of them",
            options.seeds, most_seeds);
  if (options.seeds > 1 && !options.fixed.split.empty())
    fail_at(options, "seeds",
            "seeds is {}, and the seed also decides how split = \"{}\" cuts the file: the test "
            "facts of one run would be validation of another. Cut the file once (orrery data split "
            "FILE --to DIR), and name the directory as data; or take one seed",
            options.seeds, options.fixed.split);
}

void check_own(const SweepOptions& options) {
  check_seeds(options);
  check_least(options, "keep-runs", options.keep_runs, 1);
  check_least(options, "trials", options.trials, 1);
  check_least(options, "keep", options.keep, 2);
  check_least(options, "first-epochs", options.first_epochs, 1);
  refuse_outside_halving(options, "keep", options.keep);
  refuse_outside_halving(options, "first-epochs", options.first_epochs);
  if (options.search == Search::grid && options.trials)
    fail_at(options, "trials", "trials: a grid tries every combination; leave trials out");
  if (options.first_epochs && *options.first_epochs >= options.fixed.epochs)
    fail_at(
        options, "first-epochs",
        "first-epochs is {}, but must be below epochs, which is {}: else no trial is ended early",
        *options.first_epochs, options.fixed.epochs);
  if (options.search != Search::grid && !options.trials)
    fail_at(options, "search",
            "a {} search draws its trials: say how many with trials = N or --trials N",
            name_of(options.search));
}

void check_searched(const SweepOptions& options) {
  if (options.searched.empty())
    at_place(options.file, [] {
      fail_request(
          "nothing is searched: give an option several values, such as dropout = [0, 0.1, 0.2]");
    });
  for (const SearchedOption& option : options.searched) {
    if (std::ranges::find(never_searched, option.name) != never_searched.end())
      fail_at(options, option.name, "{} cannot be searched{}", option.name,
              option.name == "seed" ? "; each trial is run with so many: seeds = N"
                                    : ": trials would be asked different questions");
    if (options.search == Search::halving &&
        (option.name == "epochs" || option.name == "eval-every"))
      fail_at(options, option.name, "{} cannot be searched by halving, which is made of it",
              option.name);
    if (options.search == Search::grid && option.range)
      fail_at(options, option.name,
              "{} is a range, and a grid needs values: write a list, or a step as in \"0 .. 0.4 "
              "step 0.1\"",
              option.name);
    if (!option.range && option.values.empty())
      fail_at(options, option.name, "{} has no values to be tried with", option.name);
    if (std::ranges::count(options.searched, option.name, &SearchedOption::name) > 1)
      fail_request("{} is searched twice", option.name);
  }
}

std::vector<TrialValues> trials_of(const SweepOptions& options) {
  const auto combinations = count_of_combinations(options.searched);
  if (options.search == Search::grid) {
    if (*combinations > most_trials)
      fail_request("the grid has {:.0f} trials, and {:.0f} are the most; take search = \"random\"",
                   *combinations, most_trials);
    return grid_trials(options.searched);
  }
  const auto wanted = static_cast<double>(*options.trials);
  if (wanted > most_trials)
    fail_at(options, "trials", "trials is {}, and {:.0f} are the most", *options.trials,
            most_trials);
  if (combinations && wanted > *combinations)
    fail_at(options, "trials",
            "trials is {}, and there are only {:.0f} different ones; take fewer, or a grid",
            *options.trials, *combinations);
  return drawn_trials(options.searched, options.fixed.seed, *options.trials);
}

// Data is read once for each way in which the trials read it: their facts are the same.
class DataForTrials {
 public:
  const TemporalGraph& of(const TrainOptions& options) {
    const auto found = read_.find(options.min_facts);
    if (found != read_.end()) return found->second;
    const auto& data =
        read_.emplace(options.min_facts, load_facts(options.data, load_options_of(options)))
            .first->second;
    for (const Split split : {Split::train, Split::valid})
      if (data.split(split).empty())
        fail_request("{}: a sweep needs train and valid, and {} is empty", options.data,
                     name_of(split));
    return data;
  }
  std::string facts_fingerprint() const { return fingerprint_of_facts(read_.begin()->second); }
  std::int64_t valid_questions() const {
    const auto facts = read_.begin()->second.split(Split::valid).size();
    return static_cast<std::int64_t>(facts * questions_per_fact);
  }

 private:
  std::map<std::int64_t, TemporalGraph> read_;
};

// Numbers drawn from a range of `dim` seldom fit the algebra of a model.
void check_drawn_dim(const SweepOptions& sweep, const TrainOptions& options) {
  const auto dim = std::ranges::find(sweep.searched, "dim", &SearchedOption::name);
  if (dim == sweep.searched.end() || !dim->range) return;
  const auto size = variant_of(options).algebra_size;
  if (options.dim % size == 0) return;
  const double first = std::ceil(dim->range->from / size) * size;
  fail_at(sweep, "dim", "dim is drawn from {} .. {}, but must be a multiple of {} for '{}': {}",
          dim->range->from, dim->range->to, size, options.model,
          first < dim->range->to
              ? fmt::format("write \"{} .. {} step {}\"", first, dim->range->to, size)
              : "take a longer range, with a step");
}

void check_epochs(const SweepOptions& sweep, const TrainOptions& options) {
  if (options.eval_every < 1)
    fail_at(sweep, "eval-every",
            "eval-every is {}, but must be at least 1: trials are ranked by validation",
            options.eval_every);
  if (options.epochs < 1)
    fail_at(sweep, "epochs", "epochs is {}, and a trial needs one at least", options.epochs);
}

// So that a single trial comes to the last rung.
std::int64_t usual_first_epochs(std::int64_t trials, std::int64_t epochs, std::int64_t keep) {
  while (trials >= keep && epochs > 1) {
    trials /= keep;
    epochs = (epochs + keep - 1) / keep;
  }
  return epochs;
}

// A single rung is no halving: every trial would be trained to the end.
void check_rungs(const SweepOptions& options, std::int64_t first_epochs,
                 const std::vector<Rung>& rungs) {
  if (rungs.size() > 1) return;
  const std::int64_t epochs = options.fixed.epochs;
  if (first_epochs >= epochs)
    fail_at(options, "trials",
            "halving {} with keep = {} and {} leaves one rung, in which all are trained in full; "
            "take more trials or epochs, or a smaller keep",
            counted(*options.trials, "trial"), *options.keep, counted(epochs, "epoch"));
  fail_at(options, "eval-every",
          "eval-every is {}, so that the first rung, of {}, would be validated only after all {}; "
          "take a smaller eval-every, or more epochs",
          options.fixed.eval_every, counted(first_epochs, "epoch"), epochs);
}

void plan_rungs(SweepPlan& plan) {
  SweepOptions& options = plan.options;
  const auto count = std::ssize(plan.trials);
  plan.rungs = {{options.fixed.epochs, count}};
  if (options.search != Search::halving) return;
  if (!options.keep) options.keep = 3;
  if (!options.first_epochs)
    options.first_epochs = usual_first_epochs(count, options.fixed.epochs, *options.keep);
  plan.rungs = rungs_of(count, options.fixed.epochs, *options.first_epochs, *options.keep,
                        options.fixed.eval_every);
  check_rungs(options, *options.first_epochs, plan.rungs);
}

// By the epochs after which trials are compared first.
void refuse_idle_options(const SweepPlan& plan, DataForTrials& data) {
  EffectCheck effects(plan.options);
  for (const TrialValues& trial : plan.trials) {
    const auto run = options_of_run(plan.options, trial, plan.rungs.front().epochs, 0);
    effects.look_at(run, data.of(run));
  }
  effects.refuse_idle(plan.options);
}

}  // namespace

std::int64_t SweepPlan::results() const {
  std::int64_t count = 0;
  for (const Rung& rung : rungs) count += rung.trials;
  return count;
}

TrainOptions options_of_run(const SweepOptions& options, const TrialValues& trial,
                            std::int64_t epochs, std::int64_t run) {
  TrainOptions wanted = options.fixed;
  for (const auto& [name, value] : trial) set_option(wanted, name, value);
  if (options.search == Search::halving) wanted.epochs = epochs;
  wanted.seed += static_cast<std::uint64_t>(run);
  return wanted;
}

TrainOptions options_of(const SweepOptions& options, const Trial& trial) {
  return options_of_run(options, trial.values, options.fixed.epochs, 0);
}

std::vector<Rung> rungs_of(std::int64_t trials, std::int64_t epochs, std::int64_t first_epochs,
                           std::int64_t keep, std::int64_t eval_every) {
  std::vector<Rung> rungs;
  double due = static_cast<double>(first_epochs);
  while (true) {
    const auto whole = static_cast<std::int64_t>(std::min(due, static_cast<double>(epochs)));
    const std::int64_t rounded = (whole + eval_every - 1) / eval_every * eval_every;
    rungs.push_back({std::min(rounded, epochs), trials});
    if (rungs.back().epochs == epochs) return rungs;
    due = static_cast<double>(rungs.back().epochs) * static_cast<double>(keep);
    trials = std::max<std::int64_t>(1, trials / keep);
  }
}

SweepPlan plan_sweep(SweepOptions options) {
  check_own(options);
  check_searched(options);
  if (options.fixed.data.empty()) fail_request("name the facts with --data DIR");
  options.fixed.data = absolute_path(options.fixed.data);
  SweepPlan plan;
  plan.trials = trials_of(options);
  DataForTrials data;
  for (std::size_t i = 0; i < plan.trials.size(); ++i) {
    const auto run = options_of_run(options, plan.trials[i], options.fixed.epochs, 0);
    check_drawn_dim(options, run);
    check_epochs(options, run);
    const std::string trial = fmt::format("trial {} ({})", i + 1, words_of(plan.trials[i]));
    at_trial(options, trial, [&] {
      check_options(run);
      variant_of(run);
      load_options_of(run);
    });
    const TemporalGraph& facts = data.of(run);
    plan.parameters.push_back(at_trial(options, trial, [&] { return parameters_of(run, facts); }));
  }
  plan.data_fingerprint = data.facts_fingerprint();
  plan.valid_questions = data.valid_questions();
  plan.options = std::move(options);
  plan_rungs(plan);
  refuse_idle_options(plan, data);
  return plan;
}

}  // namespace orrery
