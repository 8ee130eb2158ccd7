// The CUDA backend.
//
// A step runs on one stream and never waits for the host: queries, scores, softmax turned into its
// gradient where it lies, two gradient products, the sweep, and one pass that sums every row's
// contributions and takes Adagrad's step. What does not depend on them runs beside them on a second
// stream: smoothing, sums of losses, and the next batch, sorted by row so that contributions are
// added in one fixed order: the same seed gives the same bytes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/cuda/batches.h"
#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/memory_plan.h"
#include "engine/cuda/products.h"
#include "engine/cuda/row_kernels.h"
#include "engine/cuda/step_clock.h"
#include "engine/engine.h"

namespace orrery::cuda {

class CudaEngine final : public Engine {
 public:
  CudaEngine(ModelPlan plan, const EngineOptions& options, int device);
  ~CudaEngine() override;
  CudaEngine(const CudaEngine&) = delete;
  CudaEngine& operator=(const CudaEngine&) = delete;

  void read(std::size_t table, State state, std::span<float> rows) const override;
  void write(std::size_t table, State state, std::span<const float> rows) override;
  void set_examples(std::vector<Example> examples) override;
  void step(std::uint64_t shuffle_key, std::int64_t first, std::int64_t count,
            const StepRules& rules) override;
  LossSums losses() override;
  void set_losses(const LossSums& sums) override;
  void update_average(double decay) override;
  bool has_average() const override { return has_average_; }
  void swap_average() override;
  void score(std::span<const QueryPair> queries, std::span<float> scores) override;
  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override;
  std::string description() const override;

  StepClock& clock() { return clock_; }
  void use_device() const;
  std::uint64_t device_bytes() const;
  std::uint64_t planned_bytes() const { return memory_.needed; }
  // The products of a step of `rows` examples, over whatever the buffers hold.
  void score_product(std::int64_t first, std::int64_t rows);
  void query_gradient_product(std::int64_t first, std::int64_t rows);
  void entity_gradient_product(std::int64_t first, std::int64_t rows);
  std::int64_t last_batch() const { return last_batch_; }
  std::int64_t score_rows() const { return memory_.score_rows; }
  cudaStream_t stream() const { return stream_; }

 private:
  struct TableData {
    DeviceBuffer<float> values, squares, averages;
    DeviceBuffer<float> base;  // the dense part of the gradient: of entities and times
    DeviceBuffer<std::uint8_t> contributions;  // fp32 or bf16
    DeviceBuffer<float> folded;
  };

  void finish_all() const;
  MemoryPlan plan_for(std::int64_t batch, std::int64_t examples) const;
  template <class T>
  DeviceBuffer<T> zeroed(std::size_t size) const {
    DeviceBuffer<T> buffer(size);
    buffer.fill_zero(stream_);
    return buffer;
  }
  std::size_t row_stride() const { return memory_.row_stride; }
  std::int64_t width() const { return static_cast<std::int64_t>(memory_.row_stride); }
  std::size_t score_stride() const { return memory_.score_stride; }
  std::size_t table_floats(std::size_t table) const {
    return static_cast<std::size_t>(tables_[table].count) * row_stride();
  }
  bool rounds() const { return precision_ == Precision::bf16; }

  template <class Move>
  void in_pieces(std::size_t rows, const Move& move) const;
  void write_rows(std::span<const float> rows, float* to);
  void allocate_tables();
  void allocate_for_asking();
  void allocate_squares();
  void allocate_averages();
  void allocate_for_training(std::int64_t batch);
  void free_batch_buffers();
  void refresh_rounded_entities();

  RowJob row_job() const;
  RowsOut contributions_to(std::size_t table) const;
  RowJob training_job(const BatchName& name, const Batch& batch, const LossRules& rules) const;
  void score_and_back(const Batch& batch, std::int64_t first, std::int64_t rows);
  Operand entity_operand(bool transposed) const;
  Operand query_operand(std::int64_t first) const;
  Operand score_gradient_operand(bool transposed) const;
  SmoothJob smooth_job(const LossRules& rules) const;
  void update_rows(const StepRules& rules, const Batch& batch, bool smoothed);
  void sum_losses(const RowJob& job, const LossRules& rules, const SmoothJob& smoothing);

  // Questions use the rows of a step where there are any.
  float* asking_rows() const {
    return query_gradients_.size() > 0 ? query_gradients_.data() : asked_queries_.data();
  }
  void score_pairs(std::span<const QueryPair> queries);

  int device_;
  Precision precision_;
  std::string device_name_;
  std::size_t shared_memory_;  // that a block may stage rows in
  std::int64_t batch_hint_;
  bool averages_planned_;
  std::uint64_t available_;  // bytes, when it was made
  MemoryPlan memory_;
  Stream stream_, side_stream_;
  Event started_, swept_, smoothed_, summed_;
  Products products_;
  const RowKernels& kernels_;
  StepClock clock_;

  std::vector<TableData> data_;                // by tables()
  std::array<int, most_rows> table_of_row_{};  // −1: a constant row stands in
  DeviceBuffer<float> constant_zero_, constant_one_;
  DeviceBuffer<std::uint16_t> rounded_entities_;
  bool has_average_ = false;

  Batches batches_;
  DeviceBuffer<Example> asked_;
  DeviceBuffer<float> queries_, query_gradients_, asked_queries_;
  DeviceBuffer<std::uint16_t> rounded_queries_;
  DeviceBuffer<float> scores_;
  DeviceBuffer<Attention> attention_;
  DeviceBuffer<float> loss_values_, penalty_values_, smooth_values_;
  DeviceBuffer<DeviceLosses> sums_;
  std::int64_t last_batch_ = 0;
};

}  // namespace orrery::cuda
