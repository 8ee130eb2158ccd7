// Facts on their way into a trained model: rows of what is new are trained, all others are frozen.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "data/temporal_graph.h"
#include "learn/row_map.h"
#include "learn/stored_model.h"
#include "orrery/add.h"

namespace orrery {

class Growth {
 public:
  // `known`: facts it was trained on, or null. Both must outlive it, and so must the model.
  Growth(const StoredModel& model, const TemporalGraph& facts, const TemporalGraph* known,
         const AddOptions& options, TrainObserver& observer);

  TrainSummary train();
  const std::vector<EpochReport>& epochs() const { return epochs_; }
  // Both at the end; it is of no use after that.
  ModelHeader take_header() { return std::move(header_); }
  TableRows take_rows();

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<std::vector<std::int32_t>> rows_to_train() const;
  void forget_untrained();
  void start_rows();
  void place_new_times(const TableSpec& table, std::span<float> rows) const;
  std::vector<Example> examples_of_epoch(std::int64_t epoch) const;
  bool run_epoch(std::int64_t epoch);  // false: interrupted
  void report_step(std::int64_t epoch, std::int64_t step, std::int64_t steps);
  bool is_history(std::size_t table) const { return engine_->tables()[table].row == no_row; }

  const StoredModel& model_;
  const AddOptions& options_;
  TrainObserver& observer_;
  ModelHeader header_;
  RowMap map_;           // from rows of the grown model to the model's
  TemporalGraph facts_;  // in the ids of the grown model
  TemporalGraph known_;
  TrainOptions training_;
  std::unique_ptr<const PairHistory> history_;
  std::unique_ptr<Engine> engine_;
  StepRules rules_;
  std::vector<std::vector<std::int32_t>> trained_rows_;
  std::vector<EpochReport> epochs_;
  Clock::time_point started_ = Clock::now(), reported_ = started_;
};

}  // namespace orrery
