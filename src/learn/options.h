// Options describe themselves: name, bounds and sentence stand here and nowhere else. The command
// line, config files and checkpoints are visitors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/registry.h"
#include "orrery/train.h"

namespace orrery {

// What an option decides, and so when it may change.
enum class Decides {
  result,  // shapes the model, and stays as it was when a run goes on
  length,  // how far a run goes: it may go on further, but runs of one length are compared
  place,   // where its facts lie, on what and how fast it goes: may change at any time
};

struct OptionInfo {
  std::string_view name;  // in config files; with "--" on the command line
  std::string_view sentence;
  Decides decides = Decides::result;
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  std::vector<std::string_view> values = {};  // of a text option; empty: anything
};

// The choices of the models are options too; a model's list says all there is to say of them.
inline OptionInfo info_of(const ChoiceOption& choice) {
  OptionInfo info{choice.name, choice.sentence};
  info.values = choice.values;
  info.values.insert(info.values.begin(), "");  // the model's default
  return info;
}
inline std::string& choice_in(TrainOptions& options, std::string_view name) {
  return options.choices[std::string(name)];
}
inline const std::string& choice_in(const TrainOptions& options, std::string_view name) {
  static const std::string standard;
  const auto found = options.choices.find(std::string(name));
  return found == options.choices.end() ? standard : found->second;
}

// Calls visitor(info, value) for every option, in the order in which people read them.
template <class Options, class Visitor>
void visit_options(Options& o, Visitor&& visitor) {
  using enum Decides;
  constexpr double many = 1e9;
  visitor(
      OptionInfo{"data", "directory with train/valid/test facts, or one file with --split", place},
      o.data);
  visitor(OptionInfo{"granularity",
                     "what counts as one point in time",
                     result,
                     0,
                     0,
                     {"auto", "day", "week", "month", "year"}},
          o.granularity);
  visitor(OptionInfo{"min-facts", "interval facts: pool years until a time class holds this many",
                     result, 1, many},
          o.min_facts);
  visitor(OptionInfo{"split", "shares by which a single file is cut, such as 80/10/10"}, o.split);
  visitor(OptionInfo{"skip-bad", "leave bad lines out and report them, instead of stopping"},
          o.skip_bad);
  visitor(OptionInfo{"model", "which model; `orrery models` lists them"}, o.model);
  visitor(OptionInfo{"dim", "reals per row (a biquaternion is eight of them)", result, 1, 1 << 20},
          o.dim);
  for (const ChoiceOption& choice : choice_options())
    visitor(info_of(choice), choice_in(o, choice.name));
  visitor(OptionInfo{"without", "rows to switch off, such as time_add,relation_add"}, o.without);
  visitor(OptionInfo{"start-scale",
                     "rows start as N(0, 1) times this, unless their model says otherwise", result,
                     0, 10},
          o.start_scale);
  visitor(OptionInfo{"window", "times that share a row, in models with windows of time", result, 1,
                     many},
          o.window);
  visitor(OptionInfo{"epochs", "passes over the training facts", length, 0, many}, o.epochs);
  visitor(OptionInfo{"warmup",
                     "epochs in which only the smaller algebra inside a model's own is trained; "
                     "`orrery models` lists those that have one",
                     result, 0, many},
          o.warmup);
  visitor(OptionInfo{"batch", "examples a step; a fact gives one per direction", result, 1, many},
          o.batch);
  visitor(OptionInfo{"negatives",
                     "hold queries against the batch's answers and so many drawn entities; 0: "
                     "against every entity",
                     result, 0, 1e7},
          o.negatives);
  visitor(
      OptionInfo{
          "relation-loss",
          "weight of asking for a fact's relation too, in models that can (`orrery models`); 0: "
          "not asked",
          result, 0, 1000},
      o.relation_loss);
  visitor(OptionInfo{"time-loss", "the same for a fact's time", result, 0, 1000}, o.time_loss);
  visitor(OptionInfo{"lr", "Adagrad's learning rate", result, 0, 100}, o.lr);
  visitor(OptionInfo{"lambda-n3", "weight of the factors' norms", result, 0, many}, o.lambda_n3);
  visitor(
      OptionInfo{"lambda-time", "weight of the differences of neighbouring times", result, 0, many},
      o.lambda_time);
  visitor(OptionInfo{"norm",
                     "what the regularisers take the norm of, unless the model says otherwise",
                     result,
                     0,
                     0,
                     {"complex", "biquaternion"}},
          o.norm);
  visitor(OptionInfo{"exponent", "the p of the regularisers' |x|^p", result, 2, 8}, o.exponent);
  visitor(
      OptionInfo{"time-exponent", "the p for differences of neighbouring times alone; 0: the same",
                 result, 0, 8},
      o.time_exponent);
  visitor(OptionInfo{"dropout", "share of the factors dropped in training", result, 0, 0.9},
          o.dropout);
  visitor(OptionInfo{"dropout-of",
                     "what is dropped: single components, or whole lanes (a number of the algebra)",
                     result,
                     0,
                     0,
                     {"component", "lane"}},
          o.dropout_of);
  visitor(OptionInfo{"average", "decay of a running average of the rows, once an epoch; 0: off",
                     result, 0, 0.9999},
          o.average);
  visitor(
      OptionInfo{"teacher",
                 "share of the targets that is what the running average answers; 0: facts alone",
                 result, 0, 0.9},
      o.teacher);
  visitor(
      OptionInfo{"teacher-from", "epochs before the average begins to teach, and patience to count",
                 result, 1, many},
      o.teacher_from);
  visitor(OptionInfo{"seed", "same seed, same bytes"}, o.seed);
  visitor(OptionInfo{"eval-every", "validate every so many epochs; 0: never", result, 0, many},
          o.eval_every);
  visitor(OptionInfo{"patience", "stop after so many validations without a better MRR; 0: never",
                     result, 0, many},
          o.patience);
  visitor(OptionInfo{"device", "cpu, cuda, cuda:N, or auto: the first GPU, else the CPU", place},
          o.device);
  visitor(
      OptionInfo{"precision",
                 "of the matrix products; rows and sums stay fp32; auto: the device's best, bf16 "
                 "on a Hopper GPU or a CPU with AVX512-BF16",
                 result,
                 0,
                 0,
                 {"auto", "fp32", "tf32", "bf16"}},
      o.precision);
  visitor(OptionInfo{"threads", "0: every core; never changes the result", place, 0, 1024},
          o.threads);
  visitor(
      OptionInfo{"memory", "budget on the device, such as 4G; empty: most of what is free", place},
      o.memory);
}

// Each value by itself, and combinations too; a request Error names the option and what it may be.
void check_values(const TrainOptions& options);
void check_options(const TrainOptions& options);

// config.toml: one `name = value` a line, each under its sentence. Reading takes what this writes;
// an unknown name, a bad value or a duplicate is a request Error with file and line.
std::string options_to_toml(const TrainOptions& options);
TrainOptions options_from_toml(std::string_view text, const std::string& file,
                               const TrainOptions& defaults = {});
TrainOptions read_options(const std::filesystem::path& config, const TrainOptions& defaults = {});

struct OptionDifference {
  std::string name, first, second;  // values as in config files
  Decides decides = Decides::result;
};
std::vector<OptionDifference> differences(const TrainOptions& first, const TrainOptions& second);

std::set<std::string> names_of_options(Decides decides);
// "--data, --epochs and --memory": those that decide anything else than the result, which a run
// that goes on may be given anew.
std::string options_of_resume();

// Takes the named options from `from`.
void overwrite_options(TrainOptions& to, const TrainOptions& from,
                       const std::vector<std::string>& names);

// The options that shape the model, in the same form: what a checkpoint says of its origin.
std::string shaping_options_to_toml(const TrainOptions& options);

}  // namespace orrery
