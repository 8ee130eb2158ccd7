// The loops that are compiled once per instruction set, behind plain function pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/examples.h"
#include "engine/cpu/layout.h"
#include "engine/row_origin.h"
#include "math/norm.h"

namespace orrery::cpu {

// What the row loops work on: a run of examples and their buffers, one row of floats an example.
struct RowJob {
  RowLayout layout;
  const Example* examples = nullptr;
  RowOrigin sources[most_rows];
  float vote_scale = 1;

  float* queries = nullptr;  // forward: written

  const float* query_gradients = nullptr;  // backward: read
  float* gradients[most_rows] = {};        // backward: written, one buffer a row
  float* answer_gradients = nullptr;       // backward: written, for the answer's entity row
  double* penalties = nullptr;             // backward: Σ|factor|^p of each example
  float penalty_weight = 0;
  NormRule norm;
  float drop_rate = 0;
  std::uint64_t drop_key = 0;        // of the step
  std::uint64_t first_position = 0;  // place of examples[0] in the batch
};

struct RowKernels {
  void (*forward)(const RowJob&, std::size_t begin, std::size_t end);
  void (*backward)(const RowJob&, std::size_t begin, std::size_t end);
  // Adds weight · d/drow of Σ|row − neighbour|^p to gradient rows begin … end − 1 of a time table,
  // and gives Σ|row[i+1] − row[i]|^p for each of them (0 for the last row).
  void (*smooth)(const RowLayout&, const float* table, float* gradient, std::int32_t rows,
                 float weight, NormRule norm, double* values, std::size_t begin, std::size_t end);
};

struct Kernels {
  const char* name;
  std::span<const RowKernels> rows;  // by ModelVariant::index

  // Turns a row of scores into share · (softmax − onehot(target)) and returns −log p(target);
  // the rounded copy is optional.
  double (*softmax_back)(float* scores, std::size_t count, std::size_t target, float share,
                         std::uint16_t* bf16);
  // values −= rate · g / (√squares + epsilon), squares += g², g = 0; the rounded copy is optional.
  void (*adagrad)(float* values, float* squares, float* gradients, std::size_t count, float rate,
                  float epsilon, std::uint16_t* bf16);
  void (*add)(float* sum, const float* row, std::size_t count);
  void (*to_bf16)(const float* from, std::uint16_t* to, std::size_t count);
  void (*average)(float* average, const float* values, std::size_t count, float decay);
  // Candidates above and equal to `score`; false if any of them is NaN or infinite.
  bool (*count_above)(const float* scores, std::size_t count, float score, std::int32_t& above,
                      std::int32_t& equal);
};

// The sets this machine can run, best first; the last one is the portable baseline.
std::span<const Kernels* const> available_kernels();

}  // namespace orrery::cpu
