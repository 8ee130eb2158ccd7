// The CUDA backend.
//
// A step runs on one stream and never waits for the host: queries, scores, softmax turned into its
// gradient where it lies, two gradient products, the sweep, and one pass that sums every row's
// contributions and takes the optimizer's step. What does not depend on them runs beside them on a
// second stream: smoothing, sums of losses, and the next batch, sorted by row so that contributions
// are added in one fixed order: the same seed gives the same bytes. Where candidates are derived,
// they are made before the scores and swept after them; where they depend on time, once for each
// time of the batch.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "engine/cuda/batches.h"
#include "engine/cuda/buffers.h"
#include "engine/cuda/compare_kernels.h"
#include "engine/cuda/device.h"
#include "engine/cuda/exchange.h"
#include "engine/cuda/feature_kernels.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/memory_plan.h"
#include "engine/cuda/part_kernels.h"
#include "engine/cuda/products.h"
#include "engine/cuda/row_kernels.h"
#include "engine/cuda/staging.h"
#include "engine/cuda/step_clock.h"
#include "engine/cuda/top_kernels.h"
#include "engine/engine.h"
#include "engine/entity_blocks.h"
#include "engine/shared_rows.h"

namespace orrery::cuda {

class CudaEngine final : public Engine, private RowsHere {
 public:
  CudaEngine(ModelPlan plan, const EngineOptions& options, int device);
  ~CudaEngine() override;
  CudaEngine(const CudaEngine&) = delete;
  CudaEngine& operator=(const CudaEngine&) = delete;

  void read(std::size_t table, State state, std::span<float> rows) const override {
    shared_rows_.read(table, state, rows);
  }
  void write(std::size_t table, State state, std::span<const float> rows) override {
    shared_rows_.write(table, state, rows);
  }
  void set_examples(std::vector<Example> examples) override;
  LossSums losses() override;
  void set_losses(const LossSums& sums) override;
  void update_average(double decay) override;
  bool has_average() const override { return has_average_; }
  void swap_average() override;
  void score(std::span<const QueryPair> queries, std::span<float> scores) override;
  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override;
  void top(std::span<const QueryPair> queries, std::size_t k,
           std::span<TopAnswers> answers) override;
  std::unique_ptr<Asker> asker(int threads) const override;
  void lead(const std::function<void()>& action) override { shared_rows_.lead(action); }
  std::uint64_t memory_bytes() const override { return memory_.needed + list_bytes(); }
  std::string description() const override;
  std::string arithmetic() const override;

  StepClock& clock() { return clock_; }
  void use_device() const;
  std::uint64_t device_bytes() const;
  // The products (or other comparisons) of a step's examples `first` … with what is held.
  void score_held(std::int64_t first, std::int64_t rows);
  void back_to_queries(std::int64_t first, std::int64_t rows);
  void back_to_candidates(std::int64_t first, std::int64_t rows, bool add);
  std::int64_t last_batch() const { return last_batch_; }
  std::int64_t score_rows() const { return memory_.score_rows; }
  cudaStream_t stream() const { return stream_; }

 private:
  // What queries are held against.
  struct Held {
    const float* rows = nullptr;
    const std::uint16_t* rounded = nullptr;
    float* gradients = nullptr;
    std::int32_t count = 0;
    std::size_t score_stride = 0;  // floats from one query's scores to the next one's
    Place rows_place = Place::device, rounded_place = Place::device;

    // What products run over; see padded_rows.
    std::int32_t columns() const { return static_cast<std::int32_t>(padded_rows(count)); }
  };

  void read_here(std::size_t table, State state, std::span<float> rows) const override;
  void write_here(std::size_t table, State state, std::span<const float> all_rows) override;

  // Several processes, each with a block of the entities; see cuda_shared.cpp.
  ModelPlan plan_of_block();
  std::uint64_t share_of_device(const EngineOptions& options) const;
  std::uint64_t share_of_host(const EngineOptions& options) const;
  std::uint64_t least_of_all(std::uint64_t own) const;
  std::uint64_t sharers(const std::string& name) const;
  bool is_shared() const { return blocks_.are_shared(); }
  bool is_shared(std::size_t table) const {
    return is_shared() && tables_[table].of == RowOf::entity;
  }
  std::int32_t own_entities() const { return static_cast<std::int32_t>(blocks_.own().count); }
  std::int32_t first_entity() const { return static_cast<std::int32_t>(blocks_.own().first); }
  const float* rows_to_read(std::size_t table) const {
    const TableBuffers& buffers = buffers_.tables[table];
    return is_shared(table) ? buffers.borrowed.data() : buffers.values.data();
  }
  void borrow(const Batch& batch);
  void borrow(std::vector<Example>& asked);
  void borrow_rows(const std::int32_t* lent, std::span<const std::size_t> by_process);
  void softmax_of_shared(const SoftmaxJob& softmax);
  void smooth_once();
  void share_targets(CountJob& job, const DeviceBuffer<float>& scores);
  void sum_counts(std::int32_t first_bad, std::span<RankCounts> counts) const;

  void finish_all() const;
  MemoryWish wish_for(std::int64_t batch, std::int32_t negatives, std::int64_t examples) const;
  MemoryWish wish_at_start() const;
  MemoryPlan plan_for(const MemoryWish& wish) const;
  MemoryNeeds needs() const { return {block_plan_, tables_, wish_, memory_}; }
  std::size_t row_stride() const { return memory_.row_stride; }
  std::int64_t query_stride() const { return static_cast<std::int64_t>(memory_.query_stride); }
  std::int64_t candidate_stride() const {
    return static_cast<std::int64_t>(memory_.candidate_stride);
  }
  std::int64_t score_stride() const { return static_cast<std::int64_t>(held_.score_stride); }
  std::size_t table_floats(std::size_t table) const { return buffers_.tables[table].values.size(); }
  bool rounds() const { return rounds_products(*plan_.variant, precision_); }

  template <class Move>
  void in_pieces(std::size_t rows, const Move& move) const;
  void write_rows(std::span<const float> rows, float* to);
  void allocate(std::initializer_list<Stage> stages);
  template <class T>
  void move_to(Place place, DeviceBuffer<T>& buffer);
  void allocate_tables();
  void allocate_for_asking();
  void allocate_averages();
  void allocate_for_training(std::int64_t batch, std::int32_t negatives);
  void refresh_rounded_entities();

  // Candidates' features.
  struct FeatureLists {
    DeviceBuffer<std::int64_t> starts;
    DeviceBuffer<CandidateFeature> features;

    std::uint64_t bytes() const { return starts.bytes() + features.bytes(); }
  };
  std::uint64_t list_bytes() const { return example_features_.bytes(); }
  struct HostLists {
    std::vector<std::int64_t> starts;
    std::vector<CandidateFeature> features;
  };
  template <class Append>
  HostLists list_features(std::size_t count, const Append& append);
  // Those of first … last − 1.
  void upload(const HostLists& from, std::size_t first, std::size_t last, FeatureLists& to);
  void list_example_features(std::span<const Example> examples);
  FeatureRows feature_rows(const Batch& batch, std::int64_t first) const;
  bool steps_have_features() const { return has_features() && step_rules_.loss.with_features; }
  void add_features(const Batch& batch, std::int64_t first, std::int64_t rows);
  void add_features_of(std::span<const QueryPair> queries);
  void keep_scores_before_features(std::int64_t rows);
  void back_to_features(const Batch& batch, std::int64_t first, std::int64_t rows);
  void sum_feature_penalties(const LossRules& rules);
  void update_features(const StepRules& rules, const Batch& batch);

  // The teacher: the average of the rows, asked a step's questions without dropout.
  void as_teacher(const std::function<void()>& action);

  RowJob row_job() const;
  RowsOut contributions_to(std::size_t table) const;
  // The parts of a step, whose rows are swept all together.
  std::span<const TimeRun> begin_step(const StepName& name, const StepRules& rules) override;
  std::int64_t rows_swept_together() const override { return all_rows; }
  std::int64_t rows_scored_together() const override { return memory_.score_rows; }
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
  RowJob training_job() const;
  void run_queries(const RowJob& job);
  void add_auxiliary_loss(AuxiliaryLoss question, const RowJob& job, double weight, bool add);
  SmoothJob smooth_job(const LossRules& rules) const;
  void smooth(const SmoothJob& job);
  void update_rows(const StepRules& rules, const Batch& batch, const SmoothJob& smoothing);
  UpdateTable update_table(std::size_t table, const Batch& batch, bool smoothed) const;
  void sum_losses(const RowJob& job, const LossRules& rules, const SmoothJob& smoothing);

  // Candidates are those of `ids`, or (null) every entity.
  bool candidates_reach(std::size_t table) const;
  RowJob candidate_job() const;
  void hold(const std::int32_t* ids, std::int32_t count, std::int32_t time, bool rounded);
  bool updates_few(const LossRules& rules) const;
  void clear_dense_gradients(const Batch& batch);
  void keep_to_touched(std::size_t table, const Batch& batch, UpdateTable& update) const;
  template <class Multiply>
  void for_each_held_piece(bool rounded, const Multiply& multiply);
  template <class Run>
  void for_each_compared_piece(const CompareJob& job, const Run& run);
  void compare_held(const CompareJob& job);
  void score_asked(std::int64_t rows);
  Operand query_operand(std::int64_t first) const;
  Operand score_gradient_operand(std::int64_t first_column, bool transposed) const;
  CompareJob compare_job(const float* queries, std::int64_t rows) const;

  std::size_t core_table() const;
  Precision core_precision() const;
  OuterJob outer_job(std::int64_t first, std::int64_t rows) const;
  void make_core_queries(RowJob job);
  void core_product(std::int64_t rows, float* queries, Precision precision, bool add);
  void core_product_back(std::int64_t rows);

  // Questions use the rows of a step where there are any.
  float* asking_rows() const {
    return buffers_.query_gradients.size() > 0 ? buffers_.query_gradients.data()
                                               : buffers_.asked_queries.data();
  }
  void score_pairs(std::span<const QueryPair> queries);
  void score_sums(std::span<const QueryPair> queries);
  void score_apart(std::span<const QueryPair> queries, bool seconds);
  void find_best(std::size_t first, std::span<const std::size_t> questions, std::size_t k,
                 std::span<TopAnswers> answers);

  EntityBlocks blocks_;
  ModelPlan block_plan_;  // of as many entities as the largest block has
  SharedRows shared_rows_;
  mutable std::mutex asking_;  // held by whoever asks or reads: all askers share the buffers
  int device_;
  mutable Exchange exchange_;
  Precision precision_;
  std::string device_name_;
  std::size_t shared_memory_;  // that a block may stage rows in
  std::int64_t batch_hint_;
  std::int32_t negatives_hint_;
  bool every_row_;  // is updated by every step
  bool averages_planned_;
  OnHost on_host_;                            // at least
  std::uint64_t available_, host_available_;  // bytes, when it was made
  FeatureLists example_features_;             // counted in what is planned
  MemoryWish wish_;                           // what `memory_` was planned for
  MemoryPlan memory_;
  // Small kernels of the next batch, whose size a step waits for, pass between the large ones.
  Stream stream_, side_stream_{true};
  Event started_, swept_, smoothed_, summed_;
  Products products_;
  Staging staging_;
  const RowKernels& kernels_;
  const CompareKernels& compare_;
  StepClock clock_;

  Buffers buffers_;
  std::array<int, most_rows> table_of_row_{};  // −1: a constant row stands in
  bool has_average_ = false, is_whole_ = true;

  Batches batches_;
  DeviceBuffer<ScoredEntity> best_;
  DeviceBuffer<RowPeak> peaks_;
  Held held_, taught_held_;
  DeviceBuffer<DeviceLosses> sums_;
  std::int64_t last_batch_ = 0;
  // The step that is being taken.
  const Batch* batch_ = nullptr;
  StepRules step_rules_;
  SmoothJob smoothing_;

  FeatureLists asked_features_;
  std::unique_ptr<ThreadPool> host_threads_;  // that list features
};

}  // namespace orrery::cuda
