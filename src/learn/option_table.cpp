#include "learn/option_table.h"

#include <limits>

#include "engine/optimizer.h"
#include "models/registry.h"

namespace orrery {
namespace {

using enum OptionAbout;
using enum Decides;
using O = TrainOptions;
using D = DataOptions;

constexpr double many = 1e9;

struct Bounds {
  double least = 0, most = 0;
};
constexpr Bounds counted(double least) { return {least, many}; }
constexpr Bounds whole_axis = {0, static_cast<double>(std::numeric_limits<std::uint64_t>::max())};

// A number, a flag, a list, or a text that may be anything.
OptionEntry option(std::string name, OptionMember member, OptionAbout about, Decides decides,
                   Bounds bounds, std::string sentence) {
  return {{.name = std::move(name),
           .sentence = std::move(sentence),
           .about = about,
           .decides = decides,
           .default_value = {},
           .least = bounds.least,
           .most = bounds.most},
          member};
}

OptionEntry one_of(std::string name, OptionMember member, OptionAbout about,
                   std::vector<std::string> values, std::string sentence) {
  OptionEntry entry = option(std::move(name), member, about, result, {}, std::move(sentence));
  entry.info.values = std::move(values);
  return entry;
}

OptionEntry at_place(OptionEntry entry) {
  entry.info.decides = place;
  return entry;
}

OptionEntry renamed(OptionEntry entry, std::string former) {
  entry.info.formerly.push_back(std::move(former));
  return entry;
}

OptionEntry choice_entry(const ChoiceOption& choice) {
  OptionEntry entry =
      option(std::string(choice.name), InChoices{}, model, result, {}, choice.sentence);
  entry.info.is_choice = true;
  entry.info.values = {""};  // the model's default
  entry.info.values.insert(entry.info.values.end(), choice.values.begin(), choice.values.end());
  return entry;
}

void add_data_options(std::vector<OptionEntry>& table) {
  table.insert(
      table.end(),
      {option("data", &O::data, data, place, {},
              "one file, a directory with train/valid/test facts, - for standard input, or a "
              "benchmark set's name"),
       one_of("format", &D::format, data,
              {"auto", "csv", "tsv", "json", "wikidata", "nquads", "turtle", "trig", "sqlite"},
              "format of the files; auto: by their ending and first bytes"),
       option("columns", &D::columns, data, result, {},
              "which column is which, by title or number: subject=source,relation=2,…; also "
              "object, time or start, end, recorded and expired"),
       one_of("dates", &D::dates, data,
              {"auto", "iso", "compact", "unix", "unix-ms", "dmy", "mdy", "year", "words", "excel"},
              "form of the dates; auto: recognised by all of them together"),
       one_of("granularity", &D::granularity, data,
              {"auto", "second", "minute", "hour", "day", "week", "month", "quarter", "year",
               "decade"},
              "length of one point in time; auto: as fine as the dates, with facts enough a time"),
       one_of("coarse-dates", &D::coarse_dates, data, {"refuse", "spread"},
              "dates coarser than the others, such as 2014 among days: bad lines, or facts that "
              "hold all of that period"),
       one_of("undated", &D::undated, data, {"refuse", "always"},
              "facts without a date: bad lines, or facts that hold at all times"),
       option("as-of", &D::as_of, data, result, {},
              "only what a memory knew at this date, by the columns created_at and expired_at"),
       option("min-facts", &D::min_facts, data, result, counted(1),
              "interval facts: pool years until a time class holds this many"),
       option("split", &D::split, data, result, {},
              "shares by which a file, or train alone, is split, such as 80/10/10"),
       one_of("split-by", &D::split_by, data, {"random", "time", "last"},
              "how a single file is split: at random; the earliest facts to train and the latest "
              "to test; or the last fact of each subject and relation to test"),
       one_of("intervals", &D::intervals, data, {"auto", "within", "ends"},
              "what an interval says: its fact holds within it, or two events, its ends (TeLM's "
              "protocol); auto: ends for a benchmark set by name, else within"),
       option("horizon", &D::horizon, data, result, {},
              "a date until which facts without an end hold; empty: the last time of the data"),
       option("skip-bad", &D::skip_bad, data, result, {},
              "leave out and report bad lines, instead of stopping")});
}

void add_model_options(std::vector<OptionEntry>& table) {
  table.push_back(
      option("model", &O::model, model, result, {}, "the model; `orrery models` lists them"));
  table.push_back(option("dim", &O::dim, model, result, {1, 1 << 20},
                         "dimension: real numbers of an embedding (a biquaternion is eight)"));
  for (const ChoiceOption& choice : choice_options()) table.push_back(choice_entry(choice));
  table.insert(
      table.end(),
      {option("without", &O::without, model, result, {},
              "embeddings to leave out, such as time_add,relation_add (an ablation)"),
       renamed(
           option("init-scale", &O::init_scale, model, result, {0, 10},
                  "standard deviation of the initial embeddings, unless the model sets its own"),
           "start-scale"),
       option("window", &O::window, model, result, counted(1),
              "times that share an embedding, in models with time windows")});
}

void add_loss_options(std::vector<OptionEntry>& table) {
  table.insert(
      table.end(),
      {option("from", &O::from, training, start, {},
              "a run or a model.safetensors of the same model and dim: names that both know start "
              "with its embeddings, others as usual"),
       option("epochs", &O::epochs, training, length, counted(0), "passes over the training facts"),
       renamed(
           option(
               "algebra-warmup", &O::algebra_warmup, training, result, counted(0),
               "epochs training only the first components, in models that can (`orrery models`)"),
           "warmup"),
       option("batch", &O::batch, training, result, counted(1),
              "batch size in examples; a fact gives one per direction"),
       option("negatives", &O::negatives, training, result, {0, 1e7},
              "negative samples per step, in addition to the batch's answers; 0: all entities "
              "(1-vs-all)"),
       renamed(option("aux-relation", &O::aux_relation, training, result, {0, 1000},
                      "weight of the auxiliary loss that predicts a fact's relation, in models "
                      "that can (`orrery models`); 0: off"),
               "relation-loss"),
       renamed(option("aux-time", &O::aux_time, training, result, {0, 1000},
                      "weight of the auxiliary loss that predicts a fact's time; 0: off"),
               "time-loss"),
       one_of("optimizer", &O::optimizer, training, optimizer_names(),
              "what moves the embeddings along their gradients; adam wants a far smaller lr"),
       option("lr", &O::lr, training, result, {0, 100}, "learning rate of the optimizer"),
       option("lambda-n3", &O::lambda_n3, training, result, counted(0),
              "weight of the N3 regulariser, over the factors of a score"),
       option("lambda-time", &O::lambda_time, training, result, counted(0),
              "weight of the temporal smoothness regulariser, over neighbouring times"),
       one_of("norm", &O::norm, training, {"complex", "biquaternion"},
              "what the regularisers take the norm of, unless the model sets its own"),
       one_of(
           "history", &O::history, model, {"none", "relation", "gap", "near", "lifetime"},
           "what a candidate gains or loses by being known in train for the same question at "
           "another time; none: nothing; relation: a number a relation; gap: one by the distance "
           "of that time; near: that, and by other facts of the two around the time of the "
           "question; lifetime: that, and by how well the candidate's own facts lie around it"),
       one_of("history-from", &O::history_from, training, {"valid", "train", "both"},
              "where history's numbers come from: fitted on validation after training, learned in "
              "training, or both"),
       option("lambda-history", &O::lambda_history, training, result, counted(0),
              "weight of the L2 regulariser of history's numbers"),
       option("exponent", &O::exponent, training, result, {2, 8},
              "the p of the regularisers' |x|^p"),
       option("time-exponent", &O::time_exponent, training, result, {0, 8},
              "the p of the temporal smoothness regulariser alone; 0: the same")});
}

void add_training_options(std::vector<OptionEntry>& table) {
  table.insert(
      table.end(),
      {option("dropout", &O::dropout, training, result, {0, 0.9},
              "dropout rate of the factors in training"),
       one_of("dropout-of", &O::dropout_of, training, {"component", "lane"},
              "what dropout drops: single components, or lanes (whole numbers of the algebra)"),
       renamed(option("ema", &O::ema, training, result, {0, 0.9999},
                      "decay of an exponential moving average of the embeddings, once an epoch; "
                      "the averaged embeddings are evaluated and saved; 0: off"),
               "average"),
       renamed(
           option("self-distillation", &O::self_distillation, training, result, {0, 0.9},
                  "share of the targets taken from the averaged embeddings' predictions; 0: off"),
           "teacher"),
       renamed(option("self-distillation-from", &O::self_distillation_from, training, result,
                      counted(1),
                      "epoch after which self-distillation starts (early stopping waits too)"),
               "teacher-from"),
       option("seed", &O::seed, training, result, whole_axis, "random seed; runs are reproducible"),
       option("eval-every", &O::eval_every, training, result, counted(0),
              "epochs between validations; 0: never"),
       option("patience", &O::patience, training, result, counted(0),
              "validations without a better MRR before training stops; 0: no early stopping")});
}

void add_machine_options(std::vector<OptionEntry>& table) {
  table.insert(table.end(),
               {option("device", &O::device, machine, place, {},
                       "cpu, cuda, cuda:N, or auto: the first GPU, else the CPU"),
                one_of("precision", &O::precision, machine, {"auto", "fp32", "tf32", "bf16"},
                       "precision of the matrix products; embeddings and sums stay fp32; auto: the "
                       "device's best, "
                       "bf16 on a Hopper GPU or a CPU with AMX"),
                option("threads", &O::threads, machine, place, {0, 1024},
                       "number of threads, which does not change the result; 0: every core"),
                option("memory", &O::memory, machine, place, {},
                       "memory budget on the device, such as 4G; empty: most of what is free"),
                at_place(one_of("exchange", &O::exchange, machine, {"host", "nccl"},
                                "how GPUs of several processes send to each other: by way of the "
                                "host's memory, or directly by NCCL (not run on a GPU "
                                "yet)"))});
}

// Where a member lies.
template <class Value>
const Value& value_at(const TrainOptions& options, Value O::*member) {
  return options.*member;
}
template <class Value>
const Value& value_at(const TrainOptions& options, Value D::*member) {
  return options.reading.*member;
}
template <class Value>
void set_value_at(TrainOptions& options, Value O::*member, Value value) {
  options.*member = std::move(value);
}
template <class Value>
void set_value_at(TrainOptions& options, Value D::*member, Value value) {
  options.reading.*member = std::move(value);
}

std::vector<OptionEntry> make_table() {
  std::vector<OptionEntry> table;
  add_data_options(table);
  add_model_options(table);
  add_loss_options(table);
  add_training_options(table);
  add_machine_options(table);
  const TrainOptions defaults;
  for (OptionEntry& entry : table) entry.info.default_value = value_of(defaults, entry);
  return table;
}

}  // namespace

std::span<const OptionEntry> option_entries() {
  static const std::vector<OptionEntry> table = make_table();
  return table;
}

OptionValue value_of(const TrainOptions& options, const OptionEntry& entry) {
  return std::visit(
      [&]<class Member>(Member member) -> OptionValue {
        if constexpr (std::is_same_v<Member, InChoices>) {
          const auto found = options.choices.find(entry.info.name);
          return found == options.choices.end() ? std::string() : found->second;
        } else {
          return value_at(options, member);
        }
      },
      entry.member);
}

void set_value(TrainOptions& options, const OptionEntry& entry, OptionValue value) {
  std::visit(
      [&]<class Member>(Member member) {
        if constexpr (std::is_same_v<Member, InChoices>) {
          options.choices[entry.info.name] = std::get<std::string>(std::move(value));
        } else {
          using Value = std::decay_t<decltype(value_at(options, member))>;
          set_value_at(options, member, std::get<Value>(std::move(value)));
        }
      },
      entry.member);
}

}  // namespace orrery
