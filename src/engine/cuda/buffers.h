// Every buffer whose size follows from the model and what is asked of it, in one list: the memory
// plan adds it up before anything is there, and the engine allocates by it.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/memory_plan.h"
#include "engine/cuda/part_kernels.h"
#include "engine/cuda/row_kernels.h"
#include "math/lane.h"

namespace orrery::cuda {

struct TableBuffers {
  DeviceBuffer<float> values, averages;
  std::array<DeviceBuffer<float>, AllOptimizers::most_states> states;  // the optimizer's
  DeviceBuffer<float> base;                             // the dense part of the gradient
  DeviceBuffer<std::uint8_t> contributions;             // fp32 or bf16
  DeviceBuffer<float> folded, partial, smooth_partial;  // see GradientSize
  // Several processes: what has been borrowed of a table of entities.
  DeviceBuffer<float> borrowed;
};

// The teacher's own of what asking it writes, or reads beside the rows.
struct TaughtBuffers {
  DeviceBuffer<float> queries, scores, candidates;
  DeviceBuffer<std::uint16_t> rounded_queries, rounded_entities, rounded_candidates;
};

struct Buffers {
  explicit Buffers(std::size_t table_count) : tables(table_count) {}

  std::vector<TableBuffers> tables;  // by Engine::tables()
  DeviceBuffer<float> constant_zero, constant_one;
  DeviceBuffer<float> time_clock;  // clock_readings for each time
  DeviceBuffer<std::uint16_t> rounded_entities;
  DeviceBuffer<std::uint8_t> staged;  // see Staging

  DeviceBuffer<Example> asked;
  DeviceBuffer<float> queries, query_gradients, asked_queries;
  DeviceBuffer<std::uint16_t> rounded_queries;
  DeviceBuffer<float> scores;
  DeviceBuffer<Attention> attention;
  DeviceBuffer<Example> candidate_examples;
  DeviceBuffer<float> candidates, candidate_gradients;
  DeviceBuffer<std::uint16_t> rounded_candidates, rounded_answers;
  DeviceBuffer<Attention> candidate_attention;
  DeviceBuffer<float> pairs, pair_gradients, outer, outer_gradients;  // of a core tensor
  DeviceBuffer<float> losses, side_losses, penalties, smooth_values;
  DeviceBuffer<float> feature_sums, feature_penalties, scores_before_features;
  TaughtBuffers taught;

  // Several processes: of questions, which rows here the others borrow; peaks of scores, of every
  // process.
  DeviceBuffer<std::int32_t> lent_rows;
  DeviceBuffer<PartPeak> part_peaks;
};

// When a buffer comes to be.
enum class Stage { start, states, asking, training, averages };
// What is in it then. Padding must be zero, and is never written.
enum class Filled { zeros, nothing };

// Calls visit(buffer, size, stage, filled, place) for each, in one order.
template <class AllBuffers, class Visit>
void each_buffer(const MemoryNeeds& needs, AllBuffers& buffers, const Visit& visit) {
  const ModelPlan& plan = needs.plan;
  const std::vector<TableSpec>& tables = needs.tables;
  const MemoryWish& wish = needs.wish;
  const MemoryPlan& memory = needs.memory;
  const ModelVariant& variant = *plan.variant;
  const RowKernels& kernels = row_kernels(variant.index);
  const auto size_of = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  const bool rounds = rounds_products(variant, wish.precision);
  const bool derived = variant.derives_candidates();
  const bool trained = wish.batch > 0;
  const std::size_t batch = size_of(wish.batch), asked = size_of(memory.asking_rows);
  const std::size_t row = memory.row_stride, query = memory.query_stride;
  const std::size_t candidates = size_of(memory.candidate_rows);
  const std::size_t candidate = memory.candidate_stride;
  const auto zeros = [&](auto& buffer, std::size_t size, Stage stage, Place place = Place::device) {
    visit(buffer, size, stage, Filled::zeros, place);
  };
  const auto unfilled = [&](auto& buffer, std::size_t size, Stage stage) {
    visit(buffer, size, stage, Filled::nothing, Place::device);
  };

  for (std::size_t t = 0; t < buffers.tables.size(); ++t) {
    auto& table = buffers.tables[t];
    const bool features = t == tables.size();
    const bool of_entities = !features && tables[t].of == RowOf::entity;
    const std::size_t floats = features
                                   ? size_of(plan.shape.relation_rows) * size_of(plan.feature_count)
                                   : size_of(padded_rows(tables[t].count)) * row;
    const auto place = [&](OnHost kind) {
      return of_entities && memory.on_host >= kind ? Place::host : Place::device;
    };
    zeros(table.values, floats, Stage::start, place(OnHost::values));
    zeros(table.averages, floats, Stage::averages, place(OnHost::averages));
    for (std::size_t s = 0; s < wish.states; ++s)
      zeros(table.states[s], floats, Stage::states, place(OnHost::states));
    if (features) continue;
    const GradientSize gradient = gradient_of(plan, tables[t], wish);
    zeros(table.base, gradient.dense ? floats : 0, Stage::training, place(OnHost::gradients));
    zeros(table.contributions, gradient.rows * row * gradient.element, Stage::training);
    unfilled(table.folded, gradient.folded_rows * row, Stage::training);
    zeros(table.partial, gradient.partial_rows * row, Stage::training);
    zeros(table.smooth_partial, gradient.smooth_partial_rows * row, Stage::training);
    if (of_entities)
      unfilled(table.borrowed, memory.borrowed_rows(wish.batch) * row, Stage::asking);
  }
  zeros(buffers.constant_zero, row, Stage::start);
  zeros(buffers.constant_one, row, Stage::start);
  unfilled(buffers.time_clock, size_of(plan.shape.times) * clock_readings, Stage::start);
  const std::size_t rounded =
      rounds && !derived ? size_of(padded_rows(plan.shape.entities)) * row : 0;
  const Place rounded_place = memory.on_host >= OnHost::rounded ? Place::host : Place::device;
  zeros(buffers.rounded_entities, rounded, Stage::training, rounded_place);
  unfilled(buffers.staged, 2 * size_of(memory.staged_rows) * row * sizeof(float), Stage::asking);

  unfilled(buffers.asked, asked, Stage::asking);
  unfilled(buffers.scores, memory.score_floats(), Stage::asking);
  // Questions use the rows of a step where there are any.
  zeros(buffers.asked_queries, trained ? 0 : asked * query, Stage::asking);
  zeros(buffers.query_gradients, std::max(asked, batch) * query, Stage::training);
  zeros(buffers.queries, rounds ? 0 : batch * query, Stage::training);
  zeros(buffers.rounded_queries, rounds ? batch * query : 0, Stage::training);
  zeros(buffers.attention, batch, Stage::training);
  unfilled(buffers.losses, batch, Stage::training);

  // Of candidates that are not the entity table itself. Derived ones are asked, too.
  unfilled(buffers.candidate_examples, derived ? candidates : 0, Stage::asking);
  zeros(buffers.candidates, derived || (trained && !rounds) ? candidates * candidate : 0,
        derived ? Stage::asking : Stage::training);
  zeros(buffers.candidate_gradients, candidates * candidate, Stage::training);
  zeros(buffers.rounded_candidates, rounds ? candidates * candidate : 0, Stage::training);
  zeros(buffers.candidate_attention, kernels.candidate.votes > 0 ? candidates : 0, Stage::training);

  const std::size_t pair = variant.has_core ? memory.formula_stride : 0;
  zeros(buffers.pairs, std::max(asked, batch) * pair, Stage::asking);
  zeros(buffers.pair_gradients, batch * pair, Stage::training);
  unfilled(buffers.outer, memory.outer_floats(), Stage::asking);
  unfilled(buffers.outer_gradients, memory.outer_floats(), Stage::training);

  const std::size_t answers = size_of(most_auxiliary_targets(plan.shape)) * row;
  unfilled(buffers.side_losses, wish.auxiliary ? auxiliary_losses * batch : 0, Stage::training);
  zeros(buffers.rounded_answers, wish.auxiliary && rounds ? answers : 0, Stage::training);
  RowJob job;
  job.lanes = plan.shape.dim / variant.algebra_size;
  job.count = static_cast<std::int32_t>(wish.batch);
  unfilled(buffers.penalties, size_of(job.windows() * job.slices()), Stage::training);
  unfilled(buffers.smooth_values, size_of(smooth_blocks(plan, tables)), Stage::training);

  const std::size_t features = size_of(plan.feature_count);
  unfilled(buffers.feature_sums, batch * features, Stage::training);
  unfilled(buffers.feature_penalties, features > 0 ? size_of(plan.shape.relation_rows) : 0,
           Stage::training);
  unfilled(buffers.scores_before_features,
           features > 0 && variant.rooted ? memory.score_floats() : 0, Stage::training);

  auto& taught = buffers.taught;
  const std::size_t teacher = wish.teacher ? 1 : 0;
  unfilled(taught.scores, teacher * memory.taught_floats(), Stage::training);
  zeros(taught.queries, rounds ? 0 : teacher * batch * query, Stage::training);
  zeros(taught.rounded_queries, rounds ? teacher * batch * query : 0, Stage::training);
  zeros(taught.rounded_entities, teacher * rounded, Stage::training, rounded_place);
  zeros(taught.candidates, rounds ? 0 : teacher * candidates * candidate, Stage::training);
  zeros(taught.rounded_candidates, rounds ? teacher * candidates * candidate : 0, Stage::training);

  const bool shared = wish.processes > 1;
  unfilled(buffers.lent_rows, shared ? asked : 0, Stage::asking);
  unfilled(buffers.part_peaks, memory.peak_count(), Stage::asking);
}

}  // namespace orrery::cuda
