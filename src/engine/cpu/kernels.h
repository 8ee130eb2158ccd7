// The loops that are compiled once per instruction set, behind plain function pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/query.h"
#include "engine/cpu/layout.h"
#include "engine/optimizers/list.h"
#include "engine/row_origin.h"
#include "math/norm.h"

namespace orrery::cpu {

// What the row loops work on: a run of examples and their buffers, one row of floats an example.
struct RowJob {
  RowLayout layout;
  const Example* examples = nullptr;
  RowOrigin sources[most_rows];
  const float* clock = nullptr;  // clock_readings for each time
  std::int32_t window = 1;       // times a window
  float vote_scale = 1;

  std::size_t query_floats = 0;  // from query to query
  float* queries = nullptr;      // forward: written

  const float* query_gradients = nullptr;   // backward: read
  float* gradients[most_rows] = {};         // backward: written, one buffer a row
  float* answer_gradients[most_rows] = {};  // backward: written, for the answer's entity rows
  double* penalties = nullptr;              // backward: Σ|factor|^p of each example
  float penalty_weight = 0;
  NormRule norm;
  float drop_rate = 0;
  bool drop_lanes = false;
  std::uint64_t drop_key = 0;        // of the step
  std::uint64_t first_position = 0;  // place of examples[0] in the batch
};

// Queries held against candidates by anything but a matrix product.
struct CompareJob {
  int lanes = 0;
  const float* queries = nullptr;
  const float* candidates = nullptr;
  std::size_t query_count = 0, candidate_count = 0;
  std::size_t query_floats = 0, candidate_floats = 0;  // from row to row
  float* scores = nullptr;                             // or dL/dsum over lanes, for the way back
  std::size_t score_stride = 0;
  float* query_gradients = nullptr;      // written
  float* candidate_gradients = nullptr;  // added to
};

// Neighbouring times.
struct SmoothJob {
  RowLayout layout;
  std::int32_t times = 0, windows = 0;
  const float* tables[most_rows] = {};  // by row of the model; null where it is not trained
  float* gradients[most_rows] = {};
  float weight = 0;
  NormRule norm;
  double* values = nullptr;  // by time
};

// One formula: the query's, a candidate's or an auxiliary loss's.
struct FormulaKernels {
  void (*forward)(const RowJob&, std::size_t begin, std::size_t end);
  void (*backward)(const RowJob&, std::size_t begin, std::size_t end);
  std::span<const bool> uses_row;  // which rows the backward pass gives gradients of
};

struct RowKernels {
  FormulaKernels query;
  FormulaKernels candidate;                    // empty where candidates are entity rows
  FormulaKernels auxiliary[auxiliary_losses];  // by AuxiliaryLoss; empty where it cannot be asked
  // Over queries, queries and candidates; empty where a matrix product compares.
  void (*compare)(const CompareJob&, std::size_t begin, std::size_t end);
  void (*compare_back_to_queries)(const CompareJob&, std::size_t begin, std::size_t end);
  void (*compare_back_to_candidates)(const CompareJob&, std::size_t begin, std::size_t end);
  // Adds the gradients of the time regulariser to rows begin … end − 1 of times and windows, and
  // gives the penalty of the step from each of them to the next (0 for the last).
  void (*smooth)(const SmoothJob&, std::size_t begin, std::size_t end);
  void (*smooth_shared)(const SmoothJob&);  // the same for shared rows; empty where there are none
};

// What a row of scores should say: its target and, where there is a teacher, the scores by which
// it answers. Those are written over with the targets that come of both.
struct Lesson {
  std::size_t target = 0;
  float* taught = nullptr;
  float teacher_share = 0;
};

// The highest of a row of scores, and Σ exp(score − highest).
struct RowPeak {
  float highest = 0, sum = 0;
};

// Neighbouring parameters and what is kept for each of them.
struct UpdateJob {
  float* values = nullptr;
  float* states[AllOptimizers::most_states] = {};  // as many as the optimizer has
  float* gradients = nullptr;                      // read, then zero
  std::uint16_t* rounded = nullptr;                // a copy of the values, where wanted
  std::size_t count = 0;
  StepSize<float> step;
};

struct Kernels {
  const char* name;
  std::span<const RowKernels> rows;  // by ModelVariant::index

  // Turns a row of scores into share · (softmax − targets) and returns −Σ targets · log p; without
  // a teacher that is −log p(target). The rounded copy is optional. Of `rooted` scores it is the
  // gradient of what the root is of.
  double (*softmax_back)(float* scores, std::size_t count, const Lesson& lesson, float share,
                         bool rooted, std::uint16_t* bf16);
  // The same of a part of a row whose whole has `peak`, and the teacher's row `taught_peak`; gives
  // the part's Σ targets · (score − highest). The target may be in another part: `target` ≥ count.
  double (*softmax_part_back)(float* scores, std::size_t count, const Lesson& lesson,
                              const RowPeak& peak, const RowPeak& taught_peak, float share,
                              bool rooted, std::uint16_t* bf16);
  // What an optimizer does in a step; by Optimizer::index.
  std::span<void (*const)(const UpdateJob&)> updates;
  void (*add)(float* sum, const float* row, std::size_t count);
  void (*to_bf16)(const float* from, std::uint16_t* to, std::size_t count);
  void (*average)(float* average, const float* values, std::size_t count, float decay);
  // Candidates above and equal to `score`; false if any of them is NaN or infinite.
  bool (*count_above)(const float* scores, std::size_t count, float score, std::int32_t& above,
                      std::int32_t& equal);
  // The highest of some scores and Σ exp(score − highest); false if any is NaN or infinite.
  bool (*peak)(const float* scores, std::size_t count, float& highest, float& sum);
  // scores[i] = ⟨query, rows[i · stride …]⟩ over `width` floats. A row's sum does not depend on
  // which rows stand beside it.
  void (*dots)(const float* query, const float* rows, std::size_t stride, std::size_t width,
               std::size_t count, float* scores);
};

// The sets this machine can run, best first; the last one is the portable baseline.
std::span<const Kernels* const> available_kernels();

}  // namespace orrery::cpu
