// The kernels that are made from a model's formula, behind plain function pointers. A thread is a
// lane. Rows are blocks of 32 lanes with the components of a block side by side, the last block
// padded with zeros: a warp reads whole lines, and all components of a lane from one address.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/query.h"
#include "engine/row_origin.h"
#include "math/norm.h"

namespace orrery::cuda {

inline constexpr int block_lanes = 32;
inline constexpr int most_votes = 6;           // and gates
inline constexpr int window_examples = 8;      // that a block works off, one after the other
inline constexpr int most_staged_lanes = 512;  // that one block can sweep together
inline constexpr int slice_lanes = 128;        // that a block takes where lanes can stand alone
inline constexpr int smooth_times = 8;         // that a block smooths

// Of one example's query and of its answer: the gates, their derivatives by the votes, and
// dL/dvote.
struct Attention {
  float gates[2][most_votes];
  float by_vote[2][most_votes][most_votes];
  float vote_gradients[2][most_votes];
};

// Rows to be written, in fp32 or (where `bf16` is set) rounded.
struct RowsOut {
  float* fp32 = nullptr;
  std::uint16_t* bf16 = nullptr;
};

// Examples are worked off in windows. In training they come in the order of their relations, so
// that a run of one relation loads its relation rows once, and sums their gradients before they are
// stored: in row `window + relation` of `gradients`, which no other run has.
// Candidates are worked off alike, as examples of one time and of relation 0 whose subject they
// are: there a run shares all rows but the entity's.
struct RowJob {
  int lanes = 0;
  std::size_t stride = 0;        // floats from row to row of tables and their gradients
  std::size_t query_stride = 0;  // of what the formula gives, and its gradients
  const Example* examples = nullptr;
  std::int32_t count = 0;
  const std::int32_t* order = nullptr;  // null: as they stand
  RowOrigin sources[most_rows];
  const float* clock = nullptr;   // clock_readings for each time
  std::int32_t row_times = 1;     // that share one row, in tables of RowOf::window
  std::size_t shared_memory = 0;  // bytes a block may take; 0: the device has no copy engine for it
  float vote_scale = 1;
  Attention* attention = nullptr;  // by example; may be null when only queries are wanted
  // The answer's factor is regularised too; or weighs nothing, where its gradient's place must only
  // be cleared for auxiliary losses to add to.
  bool answers = false;

  RowsOut queries;                           // forward: written
  const std::int32_t* query_rows = nullptr;  // forward: where each query goes; null: its own row
  bool add_to_queries = false;               // forward: added instead

  const float* query_gradients = nullptr;  // backward: read
  // Backward: written, and by auxiliary losses added to. Rows of times, windows and shared ones
  // have one row an example, entity rows two: subject and answer. Of candidates, those of the
  // entity are added to its row.
  RowsOut gradients[most_rows];
  float* penalties = nullptr;  // backward: Σ|factor|^p, one a block

  float penalty_weight = 0;
  NormRule norm;
  float drop_rate = 0;
  bool drop_lanes = false;
  std::uint64_t drop_key = 0;  // of the step

  int windows() const { return (count + window_examples - 1) / window_examples; }
  int slices() const { return (lanes + slice_lanes - 1) / slice_lanes; }
};

// A table of the time regulariser: its rows are times or windows, or there is one for all.
struct SmoothTable {
  const float* values = nullptr;  // null: not trained
  float* gradient = nullptr;      // written: weight · d/drow of the penalty
  float* partial = nullptr;       // of a shared row: written, its gradient by each block of times
  std::int32_t rows = 0;
};

// By row of the model where its penalty joins several of them, else one after the other those that
// take steps.
struct SmoothJob {
  int lanes = 0;
  std::size_t stride = 0;
  std::int32_t times = 0;
  SmoothTable tables[most_rows];
  int table_count = 0;  // 0: nothing to smooth
  bool joint = false;
  float* values = nullptr;  // written: Σ|step|^p, one a block
  float weight = 0;
  NormRule norm;

  int slices() const { return (lanes + slice_lanes - 1) / slice_lanes; }
  int chunks() const { return (times + smooth_times - 1) / smooth_times; }
  int blocks() const { return table_count == 0 ? 0 : chunks() * slices() * layers(); }
  int layers() const { return joint ? 1 : table_count; }
};

// One formula: the query's, a candidate's or an auxiliary loss's.
struct FormulaKernels {
  void (*forward)(const RowJob&, cudaStream_t) = nullptr;
  void (*backward)(const RowJob&, cudaStream_t) = nullptr;
  std::int32_t (*backward_blocks)(const RowJob&) = nullptr;
  std::span<const bool> uses_row;  // which rows the backward pass gives gradients of
  int votes = 0;
};

struct RowKernels {
  FormulaKernels query;
  FormulaKernels candidate;                    // empty where candidates are entity rows
  FormulaKernels auxiliary[auxiliary_losses];  // by AuxiliaryLoss; empty where it cannot be asked
  void (*smooth)(const SmoothJob&, cudaStream_t) = nullptr;
  bool joint_smoothing = false;  // see SmoothJob
};

// By ModelVariant::index; each of the other two knows only half of them.
const RowKernels& row_kernels(std::size_t variant);
const RowKernels& row_kernels_even(std::size_t variant);
const RowKernels& row_kernels_odd(std::size_t variant);

}  // namespace orrery::cuda
