// Everything that decides a training, and the table that describes it: the command line, config
// files, checkpoints and the reference page are made from the table.
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

  std::int64_t epochs = 30;
  std::int64_t algebra_warmup = 0;  // epochs in which only the smaller algebra inside is trained
  std::int64_t batch = 6000;        // examples a step; a fact gives one per direction
  std::int64_t negatives = 0;       // sampled candidates a step, beside its answers; 0: 1-vs-all
  double aux_relation = 0;          // weight of the auxiliary loss that predicts relations
  double aux_time = 0;              // the same for times
  double lr = 0.1;                  // learning rate of Adagrad
  double lambda_n3 = 0.008;         // weight of the N3 regulariser
  double lambda_time = 0.01;        // weight of the temporal smoothness regulariser
  std::string norm = "complex";     // of both regularisers: complex or biquaternion
  double exponent = 3;              // the p of the regularisers' |x|^p
  double time_exponent = 0;         // the same for temporal smoothness alone; 0: `exponent`
  double dropout = 0;
  std::string dropout_of = "component";  // what is dropped: component, or lane (a whole number)
  double ema = 0;                // decay of an exponential moving average of the embeddings; 0: off
  double self_distillation = 0;  // share of the targets that the moving average predicts; 0: none
  std::int64_t self_distillation_from = 10;  // epochs before it begins, and patience to count
  std::uint64_t seed = 1;                    // also of a random split

  std::int64_t eval_every = 0;  // validate every so many epochs; 0: never
  std::int64_t patience = 0;    // stop after so many validations without a better MRR; 0: never

  std::string device = "auto";     // cpu, cuda, cuda:N, or auto: the first GPU, else the CPU
  std::string precision = "auto";  // of the matrix products: auto, fp32, tf32 or bf16
  std::int64_t threads = 0;        // 0: every core; never changes the result
  std::string memory = {};         // of the device, such as "4G"; empty: most of what is free
};

// How a training reads its facts: `reading` with the training's seed, where it decides the split.
// Trainings of equal `data` and equal data options have the same facts.
DataOptions data_options(const TrainOptions& options);
// The options of a training on these facts: how they were read is theirs to say.
TrainOptions options_on(const Dataset& data, TrainOptions options);

enum class OptionAbout { data, model, training, machine };
std::string_view name_of(OptionAbout about);

// What an option decides, and so when it may change.
enum class Decides {
  result,  // shapes the model, and stays as it was when a run is resumed
  length,  // how far a run goes: it may go on further, but runs of one length are compared
  place,   // where its facts lie, on what and how fast it goes: may change at any time
};

// A value, and by its alternative the type of an option.
using OptionValue =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<std::string>>;

struct OptionInfo {
  std::string name;      // in config files; --name on the command line, with _ in Python
  std::string sentence;  // what it does
  OptionAbout about = OptionAbout::training;
  Decides decides = Decides::result;
  OptionValue standard;                    // its default
  double least = 0, most = 0;              // bounds of a number
  std::vector<std::string> values = {};    // of a text; empty: anything
  std::vector<std::string> formerly = {};  // names that old config files and checkpoints use
  bool is_choice = false;                  // a choice between variants of some models

  bool may_change_on_resume() const { return decides != Decides::result; }
};

// Every option, in the order in which people read them; the models' choices among them.
std::span<const OptionInfo> option_table();
// By its name, with "-" or "_"; an unknown one is a request Error that suggests near ones.
const OptionInfo& option_named(std::string_view name);

OptionValue option_value(const TrainOptions& options, std::string_view name);
void set_option(TrainOptions& options, std::string_view name, const OptionValue& value);
// The value as text, as on the command line: "0.1", "time_add,relation_add", "true".
void set_option(TrainOptions& options, std::string_view name, const std::string& text);
void set_option(TrainOptions& options, std::string_view name, const char* text);
std::string option_text(const TrainOptions& options, std::string_view name);
std::string option_text(const OptionValue& value);

// In the words of the command line: {"epochs", "60"}.
using OptionChanges = std::vector<std::pair<std::string, std::string>>;
void set_options(TrainOptions& options, const OptionChanges& changes);

// Each value by itself; a request Error names the option and what it may be.
void check_values(const TrainOptions& options);
// The same, and combinations.
void check_options(const TrainOptions& options);

// config.toml: one `name = value` a line, each under its sentence.
std::string config_text(const TrainOptions& options);
// What is not in the file is as in `defaults`. An unknown name, a bad value or a duplicate is a
// request Error with file and line.
TrainOptions read_config(const std::filesystem::path& file, const TrainOptions& defaults = {});
// The same of a file's text; `file` is what errors call it.
TrainOptions read_config_text(std::string_view text, const std::string& file,
                              const TrainOptions& defaults = {});

struct OptionDifference {
  std::string name, first, second;  // values as in config files
  Decides decides = Decides::result;
};
std::vector<OptionDifference> differences(const TrainOptions& first, const TrainOptions& second);

// The known name that is spelt most like `word`; empty: none is near.
std::string nearest_name(std::string_view word, std::span<const std::string> known);

}  // namespace orrery
