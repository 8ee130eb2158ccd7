// The options of training, and a table that describes them. The command line, config files,
// checkpoints and the reference page are made from the table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/dataset.h"

namespace orrery {

struct TrainOptions {
  std::string data = {};     // a directory, a file with a split, or a benchmark set's name
  DataOptions reading = {};  // how its facts are read

  std::string model = "bsca";  // models() lists them
  std::int64_t dim = 256;      // dimension: real numbers of an embedding
  // Of the model's variants, {"attention", "split"}; empty or missing: the model's default.
  std::map<std::string, std::string> choices = {};
  std::vector<std::string> without = {};  // embeddings to leave out, such as "time_add"
  double init_scale = 0.01;               // embeddings start as N(0, 1) times this
  std::int64_t window = 120;  // times that share an embedding, in models with windows of time

  std::string from = {};  // a run or a model.safetensors to start from; empty: from random numbers
  std::int64_t epochs = 30;
  std::int64_t algebra_warmup = 0;    // epochs training only the first components, in some models
  std::int64_t batch = 6000;          // examples a step; a fact gives one per direction
  std::int64_t negatives = 0;         // sampled candidates a step, beside its answers; 0: 1-vs-all
  double aux_relation = 0;            // weight of the auxiliary loss that predicts relations
  double aux_time = 0;                // the same for times
  std::string optimizer = "adagrad";  // or adam, which wants an lr of about 0.01
  double lr = 0.1;                    // learning rate of the optimizer
  double lambda_n3 = 0.008;           // weight of the N3 regulariser
  double lambda_time = 0.01;          // weight of the temporal smoothness regulariser
  std::string norm = "complex";       // of both regularisers: complex or biquaternion
  double exponent = 3;                // the p of the regularisers' |x|^p
  double time_exponent = 0;           // the same for temporal smoothness alone; 0: `exponent`
  // What a candidate gains or loses by being known for the same question at another time, learned
  // for each relation: none, relation, gap (by how far away that time is), near (and by what else
  // is known of the two around the time of the question), or lifetime (and by how well the
  // candidate's own facts lie around it).
  std::string history = "none";
  double lambda_history = 0;  // weight of the L2 regulariser of those numbers
  // Where those numbers come from: valid (fitted on validation, after training), train (learned in
  // training), or both (learned, then fitted).
  std::string history_from = "valid";
  double dropout = 0;
  std::string dropout_of =
      "component";  // what is dropped: component, or lane (a whole number of the algebra)
  double ema = 0;   // decay of an exponential moving average of the embeddings; 0: off
  double self_distillation = 0;  // share of the targets that the moving average predicts; 0: none
  std::int64_t self_distillation_from = 10;  // epoch after which it starts; patience too
  std::uint64_t seed = 1;                    // also of a random split

  std::int64_t eval_every = 0;  // epochs between validations; 0: never
  std::int64_t patience =
      0;  // validations without a better MRR before stopping; 0: never stop early

  std::string device = "auto";     // cpu, cuda, cuda:N, or auto: the first GPU, else the CPU
  std::string precision = "auto";  // of the matrix products: auto, fp32, tf32 or bf16
  std::int64_t threads = 0;        // 0: every core; the result does not depend on it
  std::string memory = {};         // of the device, such as "4G"; empty: most of what is free
  std::string exchange = "host";   // how GPUs of several processes send to each other: host or nccl
};

// How a training reads its facts: `reading` with the training's seed, where it decides the split.
// Trainings of equal `data` and equal data options have the same facts.
DataOptions data_options(const TrainOptions& options);
// `options` with the data options that `data` was read with.
TrainOptions options_on(const Dataset& data, TrainOptions options);

enum class OptionAbout { data, model, training, machine };
std::string_view name_of(OptionAbout about);

// What an option affects, and so when it may change.
enum class Decides {
  result,  // the trained model; must not change when a run is resumed
  start,   // the same, but a path: models record a fingerprint in its place
  length,  // the number of epochs; may change on resume, but compared runs must agree in it
  place,   // where the data is, and the machine; may change at any time
};

// The value of an option; the alternative gives its type.
using OptionValue =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<std::string>>;

struct OptionInfo {
  std::string name;      // in config files; --name on the command line, with _ in Python
  std::string sentence;  // what it does
  OptionAbout about = OptionAbout::training;
  Decides decides = Decides::result;
  OptionValue default_value;
  double least = 0, most = 0;              // bounds of a number
  std::vector<std::string> values = {};    // allowed texts; empty: any
  std::vector<std::string> formerly = {};  // former names, still read from old files
  bool is_choice = false;                  // a choice between variants of some models

  bool may_change_on_resume() const { return decides > Decides::start; }
};

// Every option, in the order of the help; includes the choices of models.
std::span<const OptionInfo> option_table();
// By name, with "-" or "_"; an unknown name is a request Error that suggests similar ones.
const OptionInfo& option_named(std::string_view name);

OptionValue option_value(const TrainOptions& options, std::string_view name);
void set_option(TrainOptions& options, std::string_view name, const OptionValue& value);
// The value as text, as on the command line: "0.1", "time_add,relation_add", "true".
void set_option(TrainOptions& options, std::string_view name, const std::string& text);
void set_option(TrainOptions& options, std::string_view name, const char* text);
std::string option_text(const TrainOptions& options, std::string_view name);
std::string option_text(const OptionValue& value);

// Names and values as on the command line: {"epochs", "60"}.
using OptionChanges = std::vector<std::pair<std::string, std::string>>;
void set_options(TrainOptions& options, const OptionChanges& changes);

// Checks each value by itself; a request Error names the option and its allowed values.
void check_values(const TrainOptions& options);
// The same, and combinations of options.
void check_options(const TrainOptions& options);

// The text of a config.toml: one `name = value` per line, below a comment that describes it.
std::string config_text(const TrainOptions& options);
// Options that are not in the file are those of `defaults`. An unknown name, a bad value or a
// duplicate is a request Error with file and line.
TrainOptions read_config(const std::filesystem::path& file, const TrainOptions& defaults = {});
// The same for a file's text; `file` is its name in errors.
TrainOptions read_config_text(std::string_view text, const std::string& file,
                              const TrainOptions& defaults = {});

struct OptionDifference {
  std::string name, first, second;  // values as in config files
  Decides decides = Decides::result;
};
std::vector<OptionDifference> differences(const TrainOptions& first, const TrainOptions& second);

// The known name with the spelling closest to `word`; empty: none is similar.
std::string nearest_name(std::string_view word, std::span<const std::string> known);

}  // namespace orrery
