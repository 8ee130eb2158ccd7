// The CPU backend.
//
// A batch is worked off in units of rows: query, scores, softmax, gradients, scatter. A unit's
// buffers stay in the last-level cache, and their size depends on the model alone, so results
// depend neither on memory nor on the threads. What queries are held against is usually the entity
// table itself; where candidates are derived or drawn it is a compact table of its own, which is
// made for a run of examples (of one time, where candidates depend on it) and whose gradients are
// sent back at the run's end.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "engine/cpu/kernels.h"
#include "engine/cpu/layout.h"
#include "engine/cpu/workspace.h"
#include "engine/engine.h"
#include "engine/entity_blocks.h"
#include "engine/shared_rows.h"

namespace orrery::cpu {

class CpuEngine final : public Engine, private RowsHere {
 public:
  CpuEngine(ModelPlan plan, const EngineOptions& options);

  void read(std::size_t table, State state, std::span<float> rows) const override {
    shared_rows_.read(table, state, rows);
  }
  void write(std::size_t table, State state, std::span<const float> rows) override {
    shared_rows_.write(table, state, rows);
  }
  void set_examples(std::vector<Example> examples) override;
  void train_only(std::vector<std::vector<std::int32_t>> rows) override;
  LossSums losses() override { return sums_; }
  void set_losses(const LossSums& sums) override { sums_ = sums; }
  void update_average(double decay) override;
  bool has_average() const override { return has_average_; }
  void swap_average() override;
  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    score(work_, queries, scores);
  }
  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override {
    rank(work_, questions, counts);
  }
  void top(std::span<const QueryPair> queries, std::size_t k,
           std::span<TopAnswers> answers) override {
    top(work_, queries, k, answers);
  }
  std::unique_ptr<Asker> asker(int threads) const override;
  void lead(const std::function<void()>& action) override { shared_rows_.lead(action); }
  std::uint64_t memory_bytes() const override { return memory_needed_; }
  std::string description() const override;
  std::string arithmetic() const override;
  std::string products() const;

  // What an asker does in a workspace of its own.
  void score(Workspace& work, std::span<const QueryPair> queries, std::span<float> scores) const;
  void rank(Workspace& work, std::span<const RankQuestion> questions,
            std::span<RankCounts> counts) const;
  void top(Workspace& work, std::span<const QueryPair> queries, std::size_t k,
           std::span<TopAnswers> answers) const;

 private:
  struct TableData {
    Buffer<float> values, gradients, averages;
    std::array<Buffer<float>, AllOptimizers::most_states> states;  // the optimizer's
  };
  // One contribution to a row of a gradient table.
  struct ScatterEntry {
    std::int32_t id = 0;
    const float* row = nullptr;
  };

  enum class Purpose { asking, training };
  void plan_memory(Purpose purpose);
  void allocate_tables();
  void read_here(std::size_t table, State state, std::span<float> rows) const override;
  void write_here(std::size_t table, State state, std::span<const float> all_rows) override;
  void reserve(Workspace& work, std::size_t rows) const;
  void allocate_for_training();
  void round_table(const Buffer<float>& values, Buffer<std::uint16_t>& to);
  void refresh_rounded_entities();

  // Several processes. Each has a block of the entities; whatever a formula reads of others' is
  // borrowed for the unit, and what each finds about its own is put together.
  bool is_shared() const { return blocks_.are_shared(); }
  bool is_shared(std::size_t table) const {
    return is_shared() && table < tables_.size() && tables_[table].of == RowOf::entity;
  }
  std::size_t rows_here(std::size_t table) const;
  void reserve_borrowed(Workspace& work) const;
  void borrow(Workspace& work, std::size_t rows) const;
  void fetch_borrowed(Workspace& work) const;
  void softmax_of_shared(std::size_t rows, bool rooted, float teacher_share);
  void gather_scores(const Workspace& work, std::size_t rows, std::span<float> scores) const;
  std::vector<float> target_scores(const Workspace& work,
                                   std::span<const std::int32_t> targets) const;
  void allocate_partial_gradients();
  void exchange_partial_gradients();
  void sum_partial_gradients();

  RowJob row_job(const Workspace& work) const;
  void send_gradients_to_buffers(RowJob& job);
  void forward(Workspace& work, RowJob job, std::size_t rows) const;
  void round_queries(Workspace& work, std::size_t rows) const;
  // Turns the unit's scores into their gradients; target_of(i) says which of the candidates that
  // are held is the i-th example's. A teacher that has a share must have been asked.
  template <class TargetOf>
  void softmax_unit(std::size_t rows, double share, bool rooted, float teacher_share,
                    const TargetOf& target_of);
  void smooth_times(const LossRules& rules);
  void update(const StepRules& rules);
  UpdateJob update_job(std::size_t table, const StepRules& rules);
  void update_rows(const UpdateJob& job, std::span<const std::int32_t> rows, std::size_t width);
  void forget_gradients(const UpdateJob& job, bool touched);
  void note_touched();

  // The parts of a step; rows are swept and scored by units of a run.
  std::span<const TimeRun> begin_step(const StepName& name, const StepRules& rules) override;
  std::int64_t rows_swept_together() const override {
    return static_cast<std::int64_t>(unit_rows_);
  }
  std::int64_t rows_scored_together() const override { return rows_swept_together(); }
  void take_rows(const StepRows& rows) override;
  void make_taught_queries(const StepRows& rows) override;
  void make_queries(const StepRows& rows) override;
  void hold_candidates(std::int32_t time, bool taught) override;
  void score_as_teacher(const StepRows& rows) override;
  void score_candidates(const StepRows& rows) override;
  void back_from_scores(const StepRows& rows) override;
  void send_back(std::int32_t time) override;
  void put_together(const StepRows& rows) override;
  void sweep(const StepRows& rows) override;
  void add_auxiliary_losses(const StepRows& rows) override;
  void finish_step() override;
  void gather_batch(const StepName& name);
  RowJob training_job(const StepRows& rows);
  static constexpr std::size_t not_held = ~std::size_t{0};  // another process has it
  std::size_t place_held(std::int32_t entity) const;
  void softmax_answers(std::size_t rows, bool rooted, const LossRules& rules);
  void back_products(std::size_t rows);
  // Auxiliary losses of the unit's examples, against the rows of a table.
  void allocate_rounded_answers();
  void round_answers(const LossRules& rules);
  void add_auxiliary_loss(AuxiliaryLoss question, std::size_t rows, double weight);
  // The teacher: the average of the rows, asked the unit's questions without dropout.
  void allocate_taught();
  std::uint64_t taught_bytes(std::uint64_t compact) const;
  void round_teacher(const LossRules& rules);
  void as_teacher(const std::function<void()>& action);
  // The core tensor, between the formula's rows and the queries.
  static constexpr std::size_t core_rows = 64;  // whose outer products are held at once
  void core_product(Workspace& work, std::size_t rows) const;
  void core_product_back(std::size_t rows);
  std::size_t core_table() const;
  std::size_t fill_outer_products(Workspace& work, std::size_t first, std::size_t rows) const;
  // `first`: the entity that is row 0 here, by which the examples count.
  void scatter(const FormulaKernels& formula, std::span<const Example> examples, bool answers,
               std::int64_t first);

  // Candidates' features: what they add to scores, and the gradients of what they are worth.
  void add_features(Workspace& work, std::span<const QueryPair> queries) const;
  bool steps_have_features() const { return has_features() && step_rules_.loss.with_features; }
  void gather_features(std::size_t rows);
  bool is_held(std::int32_t entity) const;
  void add_features_to_unit(std::size_t rows);
  void softmax_with_features(std::size_t rows, const LossRules& rules);
  void shrink_features(const LossRules& rules);

  // Candidates.
  bool compact_candidates(std::int32_t negatives) const {
    return plan_.variant->derives_candidates() || negatives > 0;
  }
  void allocate_candidates(Workspace& work, std::size_t count) const;
  RowJob candidate_job(const Workspace& work) const;
  void hold_entities(Workspace& work) const;
  void hold_compact(Workspace& work, std::int32_t time, std::span<const std::int32_t> ids,
                    bool drawn) const;
  std::span<const Example> candidate_examples(Workspace& work, std::size_t first,
                                              std::int32_t time) const;

  // Scores.
  void score_unit(Workspace& work, std::size_t rows, Precision precision) const;
  void score_alone(Workspace& work) const;
  CompareJob compare_job(Workspace& work, std::size_t rows) const;
  void score_pairs(Workspace& work, std::span<const QueryPair> queries) const;
  void add_scores(Workspace& work, std::span<const QueryPair> queries, bool seconds) const;
  void find_best(Workspace& work, std::span<const std::size_t> questions, std::size_t k,
                 std::span<TopAnswers> answers) const;

  Communicator* processes_;
  EntityBlocks blocks_;
  RowBlock own_;  // the entities that this process has
  SharedRows shared_rows_;
  RowLayout layout_, formula_layout_, query_layout_, candidate_layout_;
  bool every_row_;  // is updated by every step
  std::size_t unit_rows_ = 0;
  std::size_t score_stride_ = 0;
  Precision precision_;
  std::uint64_t memory_budget_, reserved_, batch_hint_, negatives_;
  std::uint64_t memory_needed_ = 0;
  const Kernels& kernels_;
  const RowKernels& row_kernels_;
  Workspace work_;

  std::vector<TableData> data_;                // by tables()
  std::array<int, most_rows> table_of_row_{};  // −1: a constant row stands in
  Buffer<float> constant_zero_, constant_one_;
  Buffer<std::uint16_t> rounded_entities_;
  bool has_average_ = false;

  std::array<Buffer<std::uint16_t>, auxiliary_losses> rounded_answers_;
  std::vector<float> clock_;

  // The teacher's own of what asking it writes, or reads beside the rows.
  struct Taught {
    Buffer<float> queries, scores, candidate_rows;
    Buffer<std::uint16_t> rounded_queries, rounded_entities, rounded_candidates;
    Held held;
  };
  Taught taught_;

  std::vector<Example> examples_;
  // The step that is being taken: its examples and their runs, and drawn candidates.
  StepName step_;
  StepRules step_rules_;
  std::vector<Example> batch_;
  std::vector<TimeRun> runs_;
  std::vector<std::int32_t> drawn_;
  std::span<const Example> asked_;  // the unit's, by the numbers that all processes have
  Buffer<float> pair_gradients_, outer_gradients_;  // of a core tensor
  Buffer<std::uint16_t> rounded_scores_;
  std::vector<Buffer<float>> row_gradients_, answer_gradients_;  // by row of the model
  Buffer<float> scores_before_features_;                         // where scores are roots
  std::vector<double> losses_, penalties_, smooth_values_;
  std::vector<std::vector<ScatterEntry>> scatter_;  // by table
  LossSums sums_;
  // Several processes: by table, what their candidates alone say of rows that all of them have.
  std::vector<Buffer<float>> partial_gradients_;
  // Where candidates are drawn: the entities of which a step may have gradients, as this process
  // counts them.
  bool touches_few_ = false;
  std::vector<std::int32_t> touched_;
  // By tables(): the rows that steps change; nothing: all of them.
  std::vector<std::vector<std::int32_t>> trained_rows_;
};

}  // namespace orrery::cpu
