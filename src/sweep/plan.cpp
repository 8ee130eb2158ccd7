#include "sweep/plan.h"

#include <algorithm>
#include <cmath>

#include "orrery/evaluate.h"
#include "orrery/models.h"
#include "page/text_table.h"
#include "sweep/effect.h"
#include "sweep/refusal.h"

namespace orrery {
namespace {

constexpr double most_trials = 100'000;

// What decides which questions validation asks, and what is the sweep's own business.
bool is_never_searched(const OptionInfo& option) {
  return option.name == "seed" || (option.about == OptionAbout::data && option.name != "min-facts");
}

void check_least(const SweepOptions& options, const std::string& name,
                 const std::optional<std::int64_t>& value, std::int64_t least) {
  if (value && *value < least)
    fail_request(blaming(options, name), "{} is {}, but must be at least {}", option_mark(name),
                 *value, least);
}

void refuse_outside_halving(const SweepOptions& options, const std::string& name,
                            const std::optional<std::int64_t>& value) {
  if (value && options.search != Search::halving)
    fail_request(blaming(options, name), "{} is only for a halving search, and this is a {} search",
                 option_mark(name), name_of(options.search));
}

// Facts in memory are never read again.
bool cut_by_seed(const SweepOptions& options) {
  const bool in_memory = options.data && options.data->source().empty();
  return !in_memory && options.fixed.reading.split_depends_on_seed();
}

void check_seeds(const SweepOptions& options) {
  if (options.seeds < 1 || options.seeds > most_seeds)
    fail_request(blaming(options, "seeds"),
                 "$seeds is {}, but must be from 1 to {}: each trial is run once with each of them",
                 options.seeds, most_seeds);
  if (!cut_by_seed(options)) return;
  if (options.seeds > 1)
    fail_request(
        blaming(options, "seeds",
                "cut the file once (orrery data split FILE --to DIR), and name the directory as "
                "data; or take one seed"),
        "$seeds is {}, and the seed also decides how $split {} cuts the file: the test facts of "
        "one run would be validation of another",
        options.seeds, options.fixed.reading.split);
  if (options.data && options.data->options().seed != options.fixed.seed)
    fail_request(blaming(options, "seed", "open the facts with the seed of the sweep"),
                 "the facts were split with seed {}, and the sweep's is {}",
                 options.data->options().seed, options.fixed.seed);
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
    fail_request(blaming(options, "trials", "leave trials out"),
                 "$trials: a grid tries every combination");
  if (options.first_epochs && *options.first_epochs >= options.fixed.epochs)
    fail_request(blaming(options, "first-epochs"),
                 "$first-epochs is {}, but must be below $epochs, which is {}: else no trial is "
                 "ended early",
                 *options.first_epochs, options.fixed.epochs);
  if (options.search != Search::grid && !options.trials)
    fail_request(blaming(options, "search", worded("say how many with $trials N")),
                 "a {} search draws its trials", name_of(options.search));
}

// Facts that were given cannot be read anew.
bool may_be_searched(const SweepOptions& options, std::string_view name) {
  return !is_never_searched(option_named(name)) && !(options.data && name == "min-facts");
}

void check_searched(const SweepOptions& options) {
  if (options.searched.empty())
    fail_request(About{.place = {options.file},
                       .advice = "give an option several values, such as dropout = [0, 0.1, 0.2]"},
                 "nothing is searched");
  for (const SearchedOption& option : options.searched) {
    const std::string mark = option_mark(option.name);
    const About line = blaming(options, option.name);
    if (option.name == "seed")
      fail_request(blaming(options, "seed", worded("each trial is run with so many: $seeds N")),
                   "{} cannot be searched", mark);
    if (!may_be_searched(options, option.name))
      fail_request(line, "{} cannot be searched: {}", mark,
                   option.name == "min-facts" ? "the facts were read already"
                                              : "trials would be asked different questions");
    if (options.search == Search::halving &&
        (option.name == "epochs" || option.name == "eval-every"))
      fail_request(line, "{} cannot be searched by halving, which sets it itself", mark);
    if (options.search == Search::grid && option.range)
      fail_request(
          blaming(options, option.name, "write a list, or a step as in \"0 .. 0.4 step 0.1\""),
          "{} is a range, and a grid needs values", mark);
    if (!option.range && option.values.empty())
      fail_request(line, "{} has no values to be tried with", mark);
    if (std::ranges::count(options.searched, option.name, &SearchedOption::name) > 1)
      fail_request(line, "{} is searched twice", mark);
  }
}

std::vector<TrialValues> trials_of(const SweepOptions& options) {
  const auto combinations = count_of_combinations(options.searched);
  if (options.search == Search::grid) {
    if (*combinations > most_trials)
      fail_request(blaming(options, "search", worded("take $search random")),
                   "the grid has {:.0f} trials, and {:.0f} are the most", *combinations,
                   most_trials);
    return grid_trials(options.searched);
  }
  const auto wanted = static_cast<double>(*options.trials);
  if (wanted > most_trials)
    fail_request(blaming(options, "trials"), "$trials is {}, and {:.0f} are the most",
                 *options.trials, most_trials);
  if (combinations && wanted > *combinations)
    fail_request(blaming(options, "trials", "take fewer, or a grid"),
                 "$trials is {}, and there are only {:.0f} different ones", *options.trials,
                 *combinations);
  return drawn_trials(options.searched, options.fixed.seed, *options.trials);
}

// Numbers drawn from a range of `dim` seldom fit the algebra of a model.
void check_drawn_dim(const SweepOptions& sweep, const TrainOptions& options) {
  const auto dim = std::ranges::find(sweep.searched, "dim", &SearchedOption::name);
  if (dim == sweep.searched.end() || !dim->range) return;
  const std::int64_t unit = dim_unit(options);
  if (options.dim % unit == 0) return;
  const auto step = static_cast<double>(unit);
  const double first = std::ceil(dim->range->from / step) * step;
  const std::string advice = first < dim->range->to ? fmt::format("write \"{} .. {} step {}\"",
                                                                  first, dim->range->to, unit)
                                                    : "take a longer range, with a step";
  fail_request(blaming(sweep, "dim", advice),
               "$dim is drawn from {} .. {}, but must be a multiple of {} for '{}'",
               dim->range->from, dim->range->to, unit, options.model);
}

void check_epochs(const SweepOptions& sweep, const TrainOptions& options) {
  if (options.eval_every < 1)
    fail_request(blaming(sweep, "eval-every"),
                 "$eval-every is {}, but must be at least 1: trials are ranked by validation",
                 options.eval_every);
  if (options.epochs < 1)
    fail_request(blaming(sweep, "epochs"), "$epochs is {}, and a trial needs one at least",
                 options.epochs);
}

// Such trials would all be ranked as if they had none.
void check_history(const SweepOptions& sweep, const TrainOptions& options) {
  if (options.history == "none" || options.history_from != "valid") return;
  for (const char* const name : {"history", "history-from"}) {
    if (std::ranges::count(sweep.searched, name, &SearchedOption::name) == 0) continue;
    fail_request(
        blaming(sweep, name,
                worded("search with $history-from train or both; or take one $history, and "
                       "`orrery compare` shows the MRR with and without it")),
        "{} is searched, but with $history-from valid history's numbers are fitted after "
        "training, and trials are ranked by validation in training",
        option_mark(name));
  }
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
    fail_request(
        blaming(options, "trials", "take more trials or epochs, or a smaller keep"),
        "halving {} with $keep {} and {} leaves one rung, in which all are trained in full",
        counted(*options.trials, "trial"), *options.keep, counted(epochs, "epoch"));
  fail_request(
      blaming(options, "eval-every", worded("take a smaller $eval-every, or more epochs")),
      "$eval-every is {}, so that the first rung, of {}, would be validated only after all {}",
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
void refuse_idle_options(SweepPlan& plan) {
  EffectCheck effects(plan.options);
  for (const TrialValues& trial : plan.trials) {
    const auto run = options_of_run(plan.options, trial, plan.rungs.front().epochs, 0);
    effects.look_at(run, plan.facts.of(run));
  }
  effects.refuse_idle(plan.options);
}

// Options by the names that they have now, and the facts as they call themselves.
SweepOptions settled(SweepOptions options) {
  for (SearchedOption& option : options.searched) option.name = option_named(option.name).name;
  if (options.data) {
    options.fixed = options_on(*options.data, options.fixed);
    return options;
  }
  if (options.fixed.data.empty())
    fail_request(About{.option = "data"}, "name the facts with $data DIR");
  options.fixed.data = source_named(options.fixed.data);
  return options;
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
  options = settled(std::move(options));
  check_own(options);
  check_searched(options);
  SweepPlan plan;
  plan.trials = trials_of(options);
  plan.facts = TrialFacts(options.data);
  for (std::size_t i = 0; i < plan.trials.size(); ++i) {
    const auto run = options_of_run(options, plan.trials[i], options.fixed.epochs, 0);
    check_epochs(options, run);
    const std::string trial = fmt::format("trial {} ({})", i + 1, words_of(plan.trials[i]));
    at_trial(options, trial, [&] {
      check_options(run);
      dim_unit(run);  // refuses models that there are not
    });
    check_drawn_dim(options, run);
    check_history(options, run);
    const Dataset& facts = at_line(options, [&]() -> const Dataset& { return plan.facts.of(run); });
    plan.parameters.push_back(
        at_trial(options, trial, [&] { return parameter_count(run, facts); }));
  }
  const Dataset& facts = plan.facts.of(options_of_run(options, plan.trials.front(), 0, 0));
  plan.data_fingerprint = facts.facts_fingerprint();
  plan.valid_questions =
      static_cast<std::int64_t>(facts.facts(Split::valid).size() * queries_per_fact);
  plan.options = std::move(options);
  plan_rungs(plan);
  refuse_idle_options(plan);
  return plan;
}

}  // namespace orrery
