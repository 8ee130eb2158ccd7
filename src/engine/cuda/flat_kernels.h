// The kernels of a step that know nothing of a model's formula.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "data/query.h"
#include "engine/cuda/row_kernels.h"
#include "engine/optimizers/list.h"
#include "engine/ranking.h"

namespace orrery::cuda {

// Whether this program holds code for the device.
bool kernels_run_on(int device);

// A step's examples, and all its contributions to gradient rows as pairs to be sorted: `keys` count
// the rows of all relations, then all times, then all entities; `values` say which contribution
// (relation and time: the example; entity: twice the example, plus one for its answer).
struct GatherJob {
  const Example* examples = nullptr;  // null: the batch is there already
  std::uint64_t example_count = 0;
  std::uint64_t shuffle_key = 0, first = 0;
  std::int32_t count = 0;
  bool answers = false;
  std::int32_t relations = 0, times = 0;
  // Several processes: which row of its table an entity of the batch is, or one past the last where
  // another process has it; null: its own.
  const std::int32_t* entity_rows = nullptr;
  Example* batch = nullptr;
  std::int32_t* places = nullptr;  // of the batch among all examples; written with them
  std::uint32_t* keys = nullptr;
  std::int32_t* values = nullptr;

  std::int32_t contributions() const { return count * (answers ? 4 : 3); }
};
void gather(const GatherJob& job, cudaStream_t stream);

// Sorts stably by key, so that a row's contributions keep the order of the batch.
std::size_t sort_space(std::int32_t most_pairs);
void sort_pairs(void* space, std::size_t space_bytes, const std::uint32_t* keys,
                std::uint32_t* sorted_keys, const std::int32_t* values, std::int32_t* sorted_values,
                std::int32_t pairs, std::uint32_t key_bound, cudaStream_t stream);
// starts[k] = the first place whose key is not below k, for k ≤ key_bound; keys may go on above it.
void find_starts(const std::uint32_t* sorted_keys, std::int32_t pairs, std::uint32_t key_bound,
                 std::int32_t* starts, cudaStream_t stream);

// The candidates of a step, see candidate_ids(): on the device, as the host's part of a step would
// take longer than the device's.
struct DrawJob {
  const Example* batch = nullptr;
  std::int32_t batch_count = 0, negatives = 0, entities = 0;
  std::uint64_t step_key = 0;
  std::int32_t* drawn = nullptr;     // answers, then drawn ones
  std::int32_t* sorted = nullptr;    // the same
  std::int32_t* ids = nullptr;       // each once, ascending
  std::int32_t* id_count = nullptr;  // how many they are
  std::int32_t* targets = nullptr;   // of each example, the place of its answer among them

  constexpr std::int32_t draws() const { return batch_count + negatives; }
};
std::size_t draw_space(std::int32_t most_draws);
void draw(const DrawJob& job, void* space, std::size_t space_bytes, cudaStream_t stream);

// A row of entities that a step gives a gradient to.
struct alignas(16) TouchedRow {
  std::int32_t row = -1;            // −1: it is another one's already
  std::int32_t candidate = -1;      // its place among the step's candidates; −1: it is none
  std::int32_t first = 0, end = 0;  // its contributions in the sorted list
};
struct TouchedJob {
  const std::int32_t* ids = nullptr;  // the candidates, as DrawJob has left them
  const std::int32_t* id_count = nullptr;
  std::int32_t most_ids = 0;
  const std::uint32_t* sorted_keys = nullptr;
  std::int32_t first_place = 0, end_place = 0;  // of entities' contributions in the sorted list
  std::uint32_t first_key = 0;                  // of entities
  TouchedRow* rows = nullptr;

  constexpr std::int32_t places() const { return end_place - first_place; }
};
// One for each place: that of the first contribution to a row that is no candidate, −1 for all
// others; then one for each candidate. No row is there twice.
void list_touched(const TouchedJob& job, cudaStream_t stream);

// Turns rows of scores into share · (softmax − targets) where they lie, and gives
// −Σ targets · log p; the targets are a row's own and, by the teacher's share, the softmax of what
// is taught. With `round` the gradient is bf16 and takes the first half of its row's bytes. Of
// `rooted` scores it is the gradient of what the root is of. Columns past the last candidate get
// zeros (of `rooted` ones anything: distances read none of them).
struct SoftmaxJob {
  float* scores = nullptr;
  std::size_t stride = 0;  // floats; a multiple of 4
  std::int32_t rows = 0, candidates = 0;
  std::int32_t columns = 0;  // a multiple of 4, no less than the candidates
  const Example* examples = nullptr;
  const std::int32_t* targets = nullptr;  // by row; null: what of the examples is asked for
  enum class Asked { object, relation, time } asked = Asked::object;
  float share = 0;
  bool round = false, rooted = false;
  const float* taught = nullptr;  // the teacher's scores, in rows as long; null: there is none
  float teacher_share = 0;
  float* losses = nullptr;
};
void softmax_back(const SoftmaxJob& job, cudaStream_t stream);

// Contributions that are summed ahead of the update where all of them go to one row.
inline constexpr std::int32_t fold = 16;

// A table and what its gradient is summed from.
struct UpdateTable {
  float* values = nullptr;
  float* states[AllOptimizers::most_states] = {};  // as many as the optimizer has
  std::uint16_t* rounded = nullptr;                // a copy of the values that is kept up to date
  const float* base = nullptr;                     // a gradient row for each row,
  bool base_of_candidates = false;                 // or for each candidate of the step
  RowsOut contributions;                           // may be missing
  bool windowed = false;    // contributions are sums over runs, as the sweep leaves them
  float* folded = nullptr;  // otherwise: a row for each `fold` places from `first_place` on
  std::int32_t first_place = 0, end_place = 0;  // of its contributions in the sorted list
  const TouchedRow* touched = nullptr;          // the only rows to be updated; null: all of them
  std::int32_t rows = 0;                        // as many as are listed there
  std::int32_t first_key = 0, end_key = 0;  // of its rows in `starts`; needed where none are listed
  std::int32_t row_keys = 1;                // keys a row; 0 where there are no contributions
};
struct UpdateJob {
  UpdateTable tables[most_rows];
  int table_count = 0;
  std::size_t stride = 0;
  const std::int32_t* starts = nullptr;
  const std::uint32_t* keys = nullptr;          // the sorted keys
  const std::int32_t* contributions = nullptr;  // the sorted values
  std::size_t optimizer = 0;                    // Optimizer::index
  StepSize<float> step;
};
// Sums each row's gradient and takes the optimizer's step, in one pass; before it, the parts of
// long runs, so that no block is left with hundreds of contributions.
void update(const UpdateJob& job, cudaStream_t stream);

// Running sums; see LossSums.
struct DeviceLosses {
  double cross_entropy = 0, n3 = 0, time = 0, auxiliary = 0;
  std::int64_t steps = 0;
};
struct LossJob {
  const float* losses = nullptr;
  std::int32_t loss_count = 0;
  double loss_weight = 0;
  const float* penalties = nullptr;
  std::int32_t penalty_count = 0;
  double penalty_weight = 0;
  const float* feature_penalties = nullptr;  // of candidates' features; null: none
  std::int32_t feature_count = 0;
  double feature_weight = 0;
  const float* smooth = nullptr;
  std::int32_t smooth_count = 0;
  double smooth_weight = 0;
  const float* auxiliary[auxiliary_losses] = {};  // as many as losses; null: not asked
  double side_weights[auxiliary_losses] = {};
  DeviceLosses* sums = nullptr;
};
void add_losses(const LossJob& job, cudaStream_t stream);

// Rows between the logical order (component by component, lane by lane, without padding) and that
// of the device.
struct RepackJob {
  int components = 0, lanes = 0;
  std::size_t stride = 0;  // of the device's rows
  std::size_t rows = 0;
};
void to_logical(const RepackJob& job, const float* rows, float* logical, cudaStream_t stream);
void from_logical(const RepackJob& job, const float* logical, float* rows, cudaStream_t stream);

// Candidates as examples whose subject they are: entities, or `ids` of them.
void list_candidates(const std::int32_t* ids, std::int32_t count, std::int32_t time,
                     Example* examples, cudaStream_t stream);
// Rows of a table, one after the other; and the way back, added to the table's rows.
struct PickJob {
  const std::int32_t* ids = nullptr;
  std::int32_t count = 0;
  std::size_t stride = 0;
};
void pick_rows(const PickJob& job, const float* table, const RowsOut& to, cudaStream_t stream);
void add_picked(const PickJob& job, const float* rows, float* table, cudaStream_t stream);
void clear_rows(const PickJob& job, float* table, cudaStream_t stream);

// The sum of rows that lie one after the other, in one fixed order.
struct SumJob {
  const float* rows = nullptr;
  std::int32_t count = 0;
  std::size_t width = 0;
  float* to = nullptr;
  bool add = false;  // to what is there
};
void sum_rows(const SumJob& job, cudaStream_t stream);

// Pairs of a formula's lanes (left, right) and their outer products: a row of lanes² floats each,
// and zeros up to the next row.
struct OuterJob {
  int lanes = 0;
  std::int32_t rows = 0;
  std::size_t pair_stride = 0, product_stride = 0;
};
void outer_products(const OuterJob& job, const float* pairs, float* products, cudaStream_t stream);
void outer_products_back(const OuterJob& job, const float* pairs, const float* product_gradients,
                         float* pair_gradients, cudaStream_t stream);

void round_rows(const float* from, std::uint16_t* to, std::size_t count, cudaStream_t stream);
void average(float* averages, const float* values, std::size_t count, float decay,
             cudaStream_t stream);

// Counts candidates above and equal to the target, less those that are known; notes the first
// question with a score that is no finite number.
struct CountJob {
  const float* scores = nullptr;
  std::size_t stride = 0;
  std::int32_t rows = 0, entities = 0;
  std::int32_t first = 0;                      // the entity that is column 0
  const float* target_scores = nullptr;        // by row; null: they are among the row's
  const std::int32_t* questions = nullptr;     // by row
  const std::int32_t* targets = nullptr;       // by question, as are the two below
  const std::int64_t* known_starts = nullptr;  // one more than questions
  const std::int32_t* known = nullptr;
  RankCounts* counts = nullptr;
  std::int32_t* first_bad = nullptr;
};
void count_above(const CountJob& job, cudaStream_t stream);

}  // namespace orrery::cuda
