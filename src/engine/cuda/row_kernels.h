// The kernels that are made from a model's formula, behind plain function pointers. A thread is a
// lane. Rows are blocks of 32 lanes with the components of a block side by side, the last block
// padded with zeros: a warp reads whole lines, and all components of a lane from one address.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "data/examples.h"
#include "engine/row_origin.h"
#include "math/norm.h"

namespace orrery::cuda {

inline constexpr int block_lanes = 32;
inline constexpr int most_votes = 4;           // and gates
inline constexpr int window_examples = 8;      // that a block works off, one after the other
inline constexpr int most_staged_lanes = 512;  // that one block can sweep together
inline constexpr int slice_lanes = 128;        // that a block takes where lanes can stand alone

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
struct RowJob {
  int lanes = 0;
  std::size_t stride = 0;  // floats from row to row, of every buffer of rows
  const Example* examples = nullptr;
  std::int32_t count = 0;
  const std::int32_t* order = nullptr;  // null: as they stand
  RowOrigin sources[most_rows];
  std::size_t shared_memory = 0;  // bytes a block may take; 0: the device has no copy engine for it
  float vote_scale = 1;
  Attention* attention = nullptr;  // by example; may be null when only queries are wanted
  bool answers = false;            // the answer's factor is regularised too

  RowsOut queries;                           // forward: written
  const std::int32_t* query_rows = nullptr;  // forward: where each query goes; null: its own row
  bool add_to_queries = false;               // forward: added instead

  const float* query_gradients = nullptr;  // backward: read
  // Backward: written. Time rows have one row an example, entity rows two: subject and answer.
  RowsOut gradients[most_rows];
  float* penalties = nullptr;  // backward: Σ|factor|^p, one a block

  float penalty_weight = 0;
  NormRule norm;
  float drop_rate = 0;
  std::uint64_t drop_key = 0;  // of the step

  int windows() const { return (count + window_examples - 1) / window_examples; }
  int slices() const { return (lanes + slice_lanes - 1) / slice_lanes; }
};

// Neighbouring rows of the time tables.
struct SmoothJob {
  int lanes = 0;
  std::size_t stride = 0;
  std::int32_t rows = 0;  // of each table
  int table_count = 0;
  const float* tables[most_rows] = {};
  float* gradients[most_rows] = {};  // written: weight · d/drow of Σ|row − neighbour|^p
  float* values = nullptr;           // written: Σ|row[i+1] − row[i]|^p, one a block
  float weight = 0;
  NormRule norm;

  int slices() const { return (lanes + slice_lanes - 1) / slice_lanes; }
  int blocks() const { return rows * slices() * table_count; }
};

struct RowKernels {
  void (*forward)(const RowJob&, cudaStream_t);
  void (*backward)(const RowJob&, cudaStream_t);
  std::int32_t (*backward_blocks)(const RowJob&);
  void (*smooth)(const SmoothJob&, cudaStream_t);
};

// By ModelVariant::index.
const RowKernels& row_kernels(std::size_t variant);

}  // namespace orrery::cuda
