// The few verbs a backend has. A backend is a folder that implements this class.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/communicator.h"
#include "data/candidate_features.h"
#include "engine/asker.h"
#include "engine/optimizer.h"
#include "engine/step.h"
#include "math/norm.h"
#include "models/registry.h"

namespace orrery {

// Of the inputs of matrix products (on a GPU with bf16 also of what an example adds to a gradient);
// rows, optimizer state, softmax and sums are always fp32.
enum class Precision {
  automatic,  // the device's best that keeps the accuracy; on a CPU bf16 if it has AMX
  fp32,
  tf32,  // fp32 where there are no tf32 units
  bf16,
};

struct LossRules {
  double lambda_n3 = 0;    // weight of Σ|factor|^p, divided by the batch size
  double lambda_time = 0;  // weight of Σ|Δ|^p over neighbouring time rows, divided by their number
  NormRule norm;
  float time_exponent = 0;     // of the differences of times; 0: that of the norm
  float dropout = 0;           // share of the factors' components that a step does without
  bool drop_lanes = false;     // all components of a lane together
  std::int32_t negatives = 0;  // drawn candidates a step, beside its answers; 0: every entity
  std::array<double, auxiliary_losses> auxiliary = {};  // weights of their losses, by AuxiliaryLoss
  float teacher_share = 0;    // of the targets: what the average answers, without dropout
  bool with_features = true;  // candidates' features are a part of the scores
  double feature_rate = 10;   // learning rate of candidates' features, as a multiple of the others'
  double feature_examples = 10;  // that a feature needs to move by half a step
  double lambda_features = 0;    // weight of Σ w²/2 over the numbers of candidates' features

  // The optimizer's, of features: what few examples of a batch have moves little.
  double feature_epsilon(std::int64_t batch) const {
    return feature_examples / static_cast<double>(batch);
  }
  bool asks(AuxiliaryLoss question) const { return weight_of(question) > 0; }
  double weight_of(AuxiliaryLoss question) const {
    return auxiliary[static_cast<std::size_t>(question)];
  }
  bool has_auxiliary_losses() const {
    return asks(AuxiliaryLoss::relation) || asks(AuxiliaryLoss::time);
  }
  NormRule time_norm() const {
    return {norm.norm, time_exponent > 0 ? time_exponent : norm.exponent};
  }
};

struct StepRules {
  LossRules loss;
  double learning_rate = 0.1;
  double epsilon = 1e-10;
  std::int64_t steps_before = 0;  // of this training

  StepSize<double> row_step(const Optimizer& optimizer) const {
    return optimizer.step_size(learning_rate, epsilon, steps_before);
  }
  // Of what candidates' features are worth.
  StepSize<double> feature_step(const Optimizer& optimizer, std::int64_t batch) const {
    return optimizer.step_size(learning_rate * loss.feature_rate, loss.feature_epsilon(batch),
                               steps_before);
  }
};

// Weighted as in the loss, summed over steps.
struct LossSums {
  double cross_entropy = 0;
  double n3 = 0;
  double time = 0;
  double auxiliary = 0;  // of auxiliary losses
  std::int64_t steps = 0;

  double total() const { return cross_entropy + n3 + time + auxiliary; }
};

struct EngineOptions {
  std::string device = "cpu";  // cpu, cuda, cuda:N, or auto: the first GPU, else the CPU
  int threads = 0;             // 0: every core
  Precision precision = Precision::automatic;
  std::string optimizer = "";  // by its name; "": the default
  std::uint64_t memory = 0;    // bytes of the device; 0: most of what is free
  std::uint64_t reserved = 0;  // bytes of the host that the caller uses
  std::int64_t batch = 0;      // examples a step will take; 0: not known yet
  std::int64_t negatives = 0;  // that steps will draw, see LossRules
  bool auxiliary = false;      // auxiliary losses will be asked: their memory is planned for
  bool averages = false;       // will be kept: the same
  bool teacher = false;        // averages will teach: the same
  bool features = true;        // of candidates will count in steps: the same
  bool every_row = false;      // every step updates all rows: what sparse updates are held against
  int tables_on_host =
      0;  // of a GPU: how much lies in the host's memory at least; see cuda::OnHost
  std::string instruction_set = "";  // "": the best this machine has
  // The processes that share the entities; null: this one has them all. Must outlive the engine.
  Communicator* processes = nullptr;
  bool direct = false;  // their GPUs send to each other by NCCL, not by way of the host
};

// A model as it is to be run.
struct ModelPlan {
  const ModelVariant* variant = nullptr;
  ModelShape shape;
  std::vector<std::string> without;
  std::vector<float> clock = {};  // clock_readings for each time; see clock_of
  std::int32_t feature_count =
      0;  // learned numbers of a relation row beside its embeddings; 0: none
  // Where there are any, what they are of. Must outlive the engine.
  const CandidateFeatures* features = nullptr;
};
// All that is trained: the tables of the formula's rows, then that of candidates' features.
std::vector<TableSpec> tables_of(const ModelPlan& plan);

// What is kept for each parameter; from `optimizer` on whatever the optimizer has, see
// optimizer_state. Averages exist from the first update_average on.
enum class State : int { value, average, optimizer };

constexpr State optimizer_state(std::size_t place) {
  return static_cast<State>(static_cast<int>(State::optimizer) + static_cast<int>(place));
}
constexpr bool is_of_optimizer(State state) { return state >= State::optimizer; }
constexpr std::size_t optimizer_place(State state) {
  return static_cast<std::size_t>(state) - static_cast<std::size_t>(State::optimizer);
}

// Askers made from an engine have buffers of their own; the engine itself is one, too, which uses
// those of training.
class Engine : public Asker {
 public:
  const ModelPlan& plan() const { return plan_; }
  const std::vector<TableSpec>& tables() const { return all_tables_; }
  const Optimizer& optimizer() const { return optimizer_; }

  // Rows in logical order: component by component, lane by lane. `table` counts tables(). Several
  // processes all read together and write the same, or the leader does so alone in lead().
  virtual void read(std::size_t table, State state, std::span<float> rows) const = 0;
  virtual void write(std::size_t table, State state, std::span<const float> rows) = 0;

  // The training set; gradients and optimizer state exist from here on. It may be set again, for
  // another epoch: as many examples as before cost a copy of them. A step takes examples
  // order(first) … order(first + count − 1), where the order is the RandomPermutation of all
  // examples that `shuffle_key` names.
  virtual void set_examples(std::vector<Example> examples) = 0;
  void step(std::uint64_t shuffle_key, std::int64_t first, std::int64_t count,
            const StepRules& rules);
  // From here on steps change these rows alone, by tables(), ascending; all others stay as they
  // are, to the bit, and so does their optimizer state. After set_examples. A backend that cannot
  // do it refuses.
  virtual void train_only(std::vector<std::vector<std::int32_t>> rows);
  // The running sums: read as rarely as you like, since a device must catch up first. They are
  // added step by step, so when they are read does not change them.
  virtual LossSums losses() = 0;
  virtual void set_losses(const LossSums& sums) = 0;

  // average = decay · average + (1 − decay) · value; the first call copies the values.
  virtual void update_average(double decay) = 0;
  virtual bool has_average() const = 0;
  virtual void swap_average() = 0;  // exchanges values and averages

  // For another thread. It must not outlive the engine, nor be asked while rows are written,
  // trained or exchanged. `threads` as in EngineOptions; their number does not change an answer.
  // Several processes all ask theirs, in the same order.
  virtual std::unique_ptr<Asker> asker(int threads) const = 0;

  // Several processes: the leader alone runs `action`, in which it reads and writes the rows of all
  // of them; the others serve it meanwhile. What `action` throws is an Error of all.
  virtual void lead(const std::function<void()>& action) { action(); }

  virtual std::uint64_t memory_bytes() const = 0;  // that it planned to take, of its device
  virtual std::string description() const = 0;     // "cpu, 2 threads, avx512, oneDNN fp32"
  // What the last bits of its results depend on: processes that train together must have the same.
  virtual std::string arithmetic() const { return description(); }

 protected:
  Engine(ModelPlan plan, const EngineOptions& options)
      : plan_(std::move(plan)),
        optimizer_(find_optimizer(options.optimizer)),
        auxiliary_planned_(options.auxiliary),
        teacher_planned_(options.teacher),
        features_planned_(options.features),
        tables_(tables_of(*plan_.variant, plan_.shape, plan_.without)),
        all_tables_(tables_of(plan_)) {}

  // Refuses a state that the optimizer does not have.
  void check_state(State state) const;
  // The table whose rows are an auxiliary loss's candidates.
  std::size_t auxiliary_table(AuxiliaryLoss question) const;

  bool has_features() const { return plan_.feature_count > 0; }

  ModelPlan plan_;
  const Optimizer& optimizer_;
  const bool auxiliary_planned_, teacher_planned_, features_planned_;
  std::vector<TableSpec> tables_;      // of the formula's rows
  std::vector<TableSpec> all_tables_;  // and, last, that of candidates' features

 private:
  // The parts of a step, in the order in which step() calls them. Where several processes share the
  // entities, all call the same ones.

  // Chooses the examples and candidates; the examples' runs of one time, which last for the step.
  virtual std::span<const TimeRun> begin_step(const StepName& name, const StepRules& rules) = 0;
  // Of how many examples rows are gathered and swept at once, of one run or, as all_rows, of all;
  // and how many rows of scores there are.
  virtual std::int64_t rows_swept_together() const = 0;
  virtual std::int64_t rows_scored_together() const = 0;
  virtual void take_rows(const StepRows& /*rows*/) {}
  virtual void make_taught_queries(const StepRows& rows) = 0;
  virtual void make_queries(const StepRows& rows) = 0;
  // What the examples of a time are held against, and the teacher's answers are.
  virtual void hold_candidates(std::int32_t time, bool taught) = 0;
  virtual void score_as_teacher(const StepRows& rows) = 0;
  virtual void score_candidates(const StepRows& rows) = 0;
  // From scores through softmax to the gradients of queries and candidates.
  virtual void back_from_scores(const StepRows& rows) = 0;
  virtual void send_back(std::int32_t time) = 0;  // to what the candidates are made of
  // Several processes: what each one's candidates say of the queries is summed.
  virtual void put_together(const StepRows& rows) = 0;
  virtual void sweep(const StepRows& rows) = 0;  // to the rows that queries are made of
  virtual void add_auxiliary_losses(const StepRows& rows) = 0;
  virtual void finish_step() = 0;  // smoothing, sums of losses, the optimizer

  // Refuses auxiliary losses that were not enabled or whose embeddings the model lacks.
  void check_auxiliary(const LossRules& rules) const;
  // Refuses self-distillation that was not enabled or has no moving average yet.
  void check_teacher(const LossRules& rules) const;
  // Refuses features of candidates in steps where it was said that they would not count there.
  void check_features(const LossRules& rules) const;
};

// A device that is not there is a request Error that says why.
std::unique_ptr<Engine> make_engine(ModelPlan plan, const EngineOptions& options);

// A name of no meaning (see EngineOptions) is a request Error. Looks for no device.
void check_device(const std::string& device);
// Whether `device` stands for a GPU here; checks it.
bool is_gpu(const std::string& device);

// Rows as N(0, 1) · scale, unless the model says otherwise of a row: a pure function of the seed,
// the table's name and the place in it. `threads` as in EngineOptions; their number does not change
// a row.
void start_randomly(Engine& engine, std::uint64_t seed, double scale, int threads = 0);
// Of the model's later components: zeros, and what they would have started with.
void clear_later_components(Engine& engine);
void start_later_components(Engine& engine, std::uint64_t seed, double scale);

}  // namespace orrery
