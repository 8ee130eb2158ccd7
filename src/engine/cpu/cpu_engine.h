// The CPU backend.
//
// A batch is worked off in units of rows: gather and query, scores, softmax, gradients, scatter.
// A unit's buffers stay in the last-level cache, and their size depends on the model alone, so
// memory does not grow with the batch and results depend neither on it nor on the threads.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "engine/cpu/kernels.h"
#include "engine/cpu/layout.h"
#include "engine/engine.h"

namespace orrery::cpu {

class CpuEngine final : public Engine {
 public:
  CpuEngine(ModelPlan plan, const EngineOptions& options);

  void read(std::size_t table, State state, std::span<float> rows) const override;
  void write(std::size_t table, State state, std::span<const float> rows) override;
  void set_examples(std::vector<Example> examples) override;
  void step(std::uint64_t shuffle_key, std::int64_t first, std::int64_t count,
            const StepRules& rules) override;
  LossSums losses() override { return sums_; }
  void set_losses(const LossSums& sums) override { sums_ = sums; }
  void update_average(double decay) override;
  bool has_average() const override { return has_average_; }
  void swap_average() override;
  void score(std::span<const QueryPair> queries, std::span<float> scores) override;
  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override;
  std::string description() const override;

 private:
  struct TableData {
    Buffer<float> values, squares, gradients, averages;
  };
  // One contribution to a row of a gradient table.
  struct ScatterEntry {
    std::int32_t id = 0;
    const float* row = nullptr;
  };

  enum class Purpose { asking, training };
  void check_memory(Purpose purpose) const;
  void allocate_for_asking();
  void allocate_for_training();
  void refresh_rounded_entities();

  RowJob row_job() const;
  void forward(const RowJob& job, std::size_t rows);
  void score_unit(std::size_t rows, Precision precision);
  void score_pairs(std::span<const QueryPair> queries);
  void gather_unit(std::uint64_t shuffle_key, std::int64_t first, std::size_t rows);
  void train_unit(std::size_t rows, std::size_t batch, std::uint64_t position,
                  std::uint64_t step_key, const LossRules& rules);
  template <class T>
  void back_products(std::size_t rows, const T* entity_rows, const T* queries,
                     const T* score_gradients);
  void scatter_unit(std::size_t rows, bool answers);
  void smooth_times(const LossRules& rules);
  void adagrad(const StepRules& rules);

  RowLayout layout_;
  std::size_t unit_rows_ = 0;
  std::size_t score_stride_ = 0;
  Precision precision_;
  std::uint64_t memory_budget_, reserved_;
  const Kernels& kernels_;
  const RowKernels& row_kernels_;
  ThreadPool pool_;

  std::vector<TableData> data_;                // by tables()
  std::array<int, most_rows> table_of_row_{};  // −1: a constant row stands in
  Buffer<float> constant_zero_, constant_one_;
  Buffer<std::uint16_t> rounded_entities_;
  bool has_average_ = false;

  std::vector<Example> examples_;
  std::vector<Example> unit_;
  Buffer<float> queries_, query_gradients_, scores_, answer_gradients_;
  Buffer<std::uint16_t> rounded_queries_, rounded_scores_;
  std::vector<Buffer<float>> row_gradients_;  // by row of the model
  std::vector<double> losses_, penalties_, smooth_values_;
  std::vector<std::vector<ScatterEntry>> scatter_;  // by table
  LossSums sums_;
};

}  // namespace orrery::cpu
