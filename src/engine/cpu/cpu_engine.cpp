#include "engine/cpu/cpu_engine.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/memory_budget.h"
#include "engine/candidates.h"
#include "engine/cpu/cpu_products.h"
#include "engine/cpu/gemm.h"
#include "engine/state_buffer.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t elementwise_grain = std::size_t{1} << 15;

const Kernels& kernels_named(const std::string& name) {
  for (const Kernels* kernels : available_kernels())
    if (name.empty() || name == kernels->name) return *kernels;
  fail_request("this machine cannot run the instruction set '{}'", name);
}

Precision precision_of(Precision asked) {
  const bool rounds =
      asked == Precision::bf16 || (asked == Precision::automatic && is_fast_at_bf16());
  return rounds ? Precision::bf16 : Precision::fp32;
}

// Auxiliary losses are held against relations and times. The same for every process: they must
// agree on the units of a batch.
std::size_t most_scores(const ModelShape& shape, std::int32_t entities, bool auxiliary) {
  return static_cast<std::size_t>(auxiliary ? std::max({entities, shape.relation_rows, shape.times})
                                            : entities);
}

// Rows of scores that stay near the cache. Every unit reads all candidates and adds to all their
// gradients: fewer rows than these would do little else.
std::size_t unit_rows_for(std::size_t scores) {
  constexpr std::size_t cache = std::size_t{64} << 20;
  const std::size_t rows = cache / (sizeof(float) * scores) / row_grain * row_grain;
  return std::clamp<std::size_t>(rows, 64, 512);
}

}  // namespace

CpuEngine::CpuEngine(ModelPlan plan, const EngineOptions& options)
    : Engine(std::move(plan), options),
      processes_(options.processes),
      blocks_(plan_.shape.entities, options.processes),
      own_(blocks_.own()),
      shared_rows_(blocks_, all_tables_, *this),
      layout_{plan_.variant->algebra_size, plan_.shape.dim / plan_.variant->algebra_size,
              !plan_.variant->by_product},
      formula_layout_{plan_.variant->formula_size, layout_.lanes, layout_.padded},
      query_layout_{plan_.variant->query_size, layout_.lanes, layout_.padded},
      candidate_layout_{plan_.variant->candidate_size, layout_.lanes, layout_.padded},
      every_row_(options.every_row),
      unit_rows_(unit_rows_for(most_scores(plan_.shape, blocks_.largest(), auxiliary_planned_))),
      score_stride_(spaced(most_scores(plan_.shape, blocks_.largest(), auxiliary_planned_))),
      precision_(plan_.variant->by_product ? precision_of(options.precision) : Precision::fp32),
      memory_budget_(options.memory != 0 ? options.memory : default_memory_budget()),
      reserved_(options.reserved),
      batch_hint_(static_cast<std::uint64_t>(options.batch)),
      negatives_(static_cast<std::uint64_t>(options.negatives)),
      kernels_(kernels_named(options.instruction_set)),
      row_kernels_(kernels_.rows[plan_.variant->index]),
      work_(options.threads),
      clock_(clock_of(plan_)) {
  plan_memory(Purpose::asking);
  allocate_tables();
}

void CpuEngine::plan_memory(Purpose purpose) {
  const bool training = purpose == Purpose::training;
  std::uint64_t rows = 0, held = 0;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    rows += static_cast<std::uint64_t>(tables_[t].count);
    held += with_spare_rows(rows_here(t));
  }
  const std::uint64_t row_bytes = layout_.floats() * sizeof(float);
  const std::uint64_t tables = (training ? 2 + optimizer_.states.size() : 1) * held * row_bytes;
  const auto entities = static_cast<std::uint64_t>(own_.count);
  const auto entity_rows = static_cast<std::uint64_t>(
      std::ranges::count(plan_.variant->rows, RowOf::entity, &RowSpec::of));
  const std::uint64_t unit_buffers = training ? plan_.variant->rows.size() + entity_rows : 0;
  const std::uint64_t unit =
      unit_rows_ * (row_bytes * unit_buffers + 2 * query_layout_.floats() * sizeof(float) +
                    (plan_.variant->sums_queries() ? 1 : 2) * score_stride_ * sizeof(float));
  const std::uint64_t drawn = training && negatives_ > 0 ? batch_hint_ + negatives_ : 0;
  const std::uint64_t compact =
      std::min(entities, plan_.variant->derives_candidates() ? entities : drawn);
  const std::uint64_t candidates =
      (training ? 2 : 1) * compact * candidate_layout_.floats() * sizeof(float);
  const auto lanes = static_cast<std::uint64_t>(layout_.lanes);
  const std::uint64_t core =
      plan_.variant->has_core
          ? (training ? 2 : 1) * sizeof(float) *
                (core_rows * lanes * lanes + unit_rows_ * formula_layout_.floats())
          : 0;
  const std::uint64_t answers =
      auxiliary_planned_ ? static_cast<std::uint64_t>(plan_.shape.relation_rows + plan_.shape.times)
                         : 0;
  const std::uint64_t rounded_floats =
      (plan_.variant->derives_candidates() ? 0 : entities * layout_.floats()) +
      answers * layout_.floats() + compact * candidate_layout_.floats() +
      unit_rows_ * (query_layout_.floats() + score_stride_);
  const std::uint64_t rounded =
      training && precision_ == Precision::bf16 ? rounded_floats * sizeof(std::uint16_t) : 0;
  const std::uint64_t borrowed = is_shared() ? 2 * unit_rows_ * row_bytes * entity_rows : 0;
  const std::uint64_t taught = training && teacher_planned_ ? taught_bytes(compact) : 0;
  memory_needed_ = tables + borrowed + unit + candidates + core + rounded + taught + reserved_;
  if (memory_needed_ > memory_budget_)
    fail_model(About{.option = "dim", .advice = worded("take a smaller $dim or a larger $memory")},
               "{} this model needs {} ({} of it for {} embeddings of {} dimensions{}, {} for "
               "facts and copies), and "
               "the budget is {}",
               training ? "training" : "asking", format_memory(memory_needed_),
               format_memory(tables), rows, plan_.shape.dim,
               training ? " with gradients and optimizer state" : "", format_memory(reserved_),
               format_memory(memory_budget_));
}

void CpuEngine::allocate_tables() {
  const std::size_t width = layout_.floats();
  table_of_row_.fill(-1);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    data_.emplace_back();
    const std::size_t rows = rows_here(t);
    data_[t].values = Buffer<float>(with_spare_rows(rows) * width);
    table_of_row_[tables_[t].row] = static_cast<int>(t);
  }
  if (has_features()) {
    data_.emplace_back();
    data_.back().values = Buffer<float>(static_cast<std::size_t>(plan_.shape.relation_rows) *
                                        static_cast<std::size_t>(plan_.feature_count));
  }
  constant_zero_ = Buffer<float>(width);
  constant_one_ = Buffer<float>(width);
  for (int c = 0; c < layout_.components; ++c)
    for (int l = 0; l < layout_.lanes; ++l)
      constant_one_[layout_.at(c, l)] = plan_.variant->unit[static_cast<std::size_t>(c)] ? 1.0F : 0;
}

// Room for a unit of `rows`. A question alone should not take the memory of a whole unit.
void CpuEngine::reserve(Workspace& work, std::size_t rows) const {
  if (rows <= work.rows) return;
  const std::size_t room = std::min(std::bit_ceil(rows), unit_rows_);
  work.unit.resize(unit_rows_);
  work.candidate_unit.resize(unit_rows_);
  work.queries = Buffer<float>(room * query_layout_.floats());
  work.query_gradients = Buffer<float>(room * query_layout_.floats());
  if (plan_.variant->has_core) {
    const auto lanes = static_cast<std::size_t>(layout_.lanes);
    work.pairs = Buffer<float>(room * formula_layout_.floats());
    work.outer = Buffer<float>(std::min(core_rows, room) * lanes * lanes);
  }
  if (!plan_.variant->sums_queries()) work.run_scores = Buffer<float>(room * score_stride_);
  work.scores = Buffer<float>(room * score_stride_);
  work.rows = room;
  if (is_shared()) reserve_borrowed(work);
}

void CpuEngine::allocate_for_training() {
  if (!row_gradients_.empty()) return;
  plan_memory(Purpose::training);
  reserve(work_, unit_rows_);
  work_.training = true;
  const std::size_t width = layout_.floats();
  for (auto& data : data_) {
    for (std::size_t s = 0; s < optimizer_.states.size(); ++s)
      data.states[s] = Buffer<float>(data.values.size());
    data.gradients = Buffer<float>(data.values.size());
  }
  for (const RowSpec& row : plan_.variant->rows) {
    row_gradients_.emplace_back(unit_rows_ * width);
    answer_gradients_.emplace_back(row.of == RowOf::entity ? unit_rows_ * width : 0);
  }
  if (plan_.variant->has_core) {
    pair_gradients_ = Buffer<float>(work_.pairs.size());
    outer_gradients_ = Buffer<float>(work_.outer.size());
  }
  losses_.resize(unit_rows_);
  penalties_.resize(unit_rows_);
  smooth_values_.resize(static_cast<std::size_t>(plan_.shape.times));
  scatter_.resize(tables_.size());
  if (precision_ == Precision::bf16) {
    if (!plan_.variant->derives_candidates())
      rounded_entities_ = Buffer<std::uint16_t>(data_[0].values.size());
    work_.rounded_queries = Buffer<std::uint16_t>(unit_rows_ * query_layout_.floats());
    rounded_scores_ = Buffer<std::uint16_t>(unit_rows_ * score_stride_);
    if (auxiliary_planned_) allocate_rounded_answers();
    refresh_rounded_entities();
  }
  if (teacher_planned_) allocate_taught();
  if (is_shared()) allocate_partial_gradients();
}

void CpuEngine::set_examples(std::vector<Example> examples) {
  allocate_for_training();
  examples_ = std::move(examples);
}

// The rows that this process has.
void CpuEngine::read_here(std::size_t table, State state, std::span<float> rows) const {
  const Buffer<float>& buffer = buffer_of(data_.at(table), state);
  if (buffer.size() == 0) {  // a state that training has not begun
    std::ranges::fill(rows, 0.0F);
    return;
  }
  if (table == tables_.size()) {  // of features, which have no lanes
    std::copy_n(buffer.data(), rows.size(), rows.begin());
    return;
  }
  const auto dim = static_cast<std::size_t>(plan_.shape.dim);
  for (std::size_t row = 0; row < rows.size() / dim; ++row)
    for (int c = 0; c < layout_.components; ++c)
      for (int l = 0; l < layout_.lanes; ++l)
        rows[row * dim + static_cast<std::size_t>(c * layout_.lanes + l)] =
            buffer[row * layout_.floats() + layout_.at(c, l)];
}

// Of all rows, those that this process has.
void CpuEngine::write_here(std::size_t table, State state, std::span<const float> all_rows) {
  check_state(state);
  if (is_of_optimizer(state)) allocate_for_training();
  if (state == State::average && !has_average_) {
    for (auto& data : data_) data.averages = Buffer<float>(data.values.size());
    has_average_ = true;
  }
  Buffer<float>& buffer = buffer_of(data_.at(table), state);
  if (table == tables_.size()) {
    std::ranges::copy(all_rows, buffer.data());
    return;
  }
  const auto dim = static_cast<std::size_t>(plan_.shape.dim);
  const auto rows = is_shared(table) ? all_rows.subspan(static_cast<std::size_t>(own_.first) * dim,
                                                        rows_here(table) * dim)
                                     : all_rows;
  for (std::size_t row = 0; row < rows.size() / dim; ++row)
    for (int c = 0; c < layout_.components; ++c)
      for (int l = 0; l < layout_.lanes; ++l)
        buffer[row * layout_.floats() + layout_.at(c, l)] =
            rows[row * dim + static_cast<std::size_t>(c * layout_.lanes + l)];
  if (table == 0 && state == State::value) refresh_rounded_entities();
}

void CpuEngine::round_table(const Buffer<float>& values, Buffer<std::uint16_t>& to) {
  parallel_for(work_.pool, values.size(), elementwise_grain,
               [&](std::size_t begin, std::size_t end) {
                 kernels_.to_bf16(values.data() + begin, to.data() + begin, end - begin);
               });
}

void CpuEngine::refresh_rounded_entities() {
  if (rounded_entities_.size() > 0) round_table(data_[0].values, rounded_entities_);
}

void CpuEngine::update_average(double decay) {
  const bool first = !has_average_;
  for (auto& data : data_) {
    if (first) data.averages = Buffer<float>(data.values.size());
    parallel_for(work_.pool, data.values.size(), elementwise_grain,
                 [&](std::size_t begin, std::size_t end) {
                   kernels_.average(data.averages.data() + begin, data.values.data() + begin,
                                    end - begin, first ? 0.0F : static_cast<float>(decay));
                 });
  }
  has_average_ = true;
}

void CpuEngine::swap_average() {
  if (!has_average_) return;
  shared_rows_.swap_average();
  for (auto& data : data_) std::swap(data.values, data.averages);
  refresh_rounded_entities();
}

std::string CpuEngine::arithmetic() const {
  return fmt::format("{}, {}", products(), matrix_library_version());
}

std::string CpuEngine::products() const {
  if (!plan_.variant->by_product) return fmt::format("{}, fp32", kernels_.name);
  const char* products = precision_ == Precision::fp32 ? "fp32"
                         : multiplies_bf16()           ? "bf16"
                                                       : "bf16 (widened)";
  return fmt::format("{}, {} {}", kernels_.name, matrix_library(), products);
}

std::string CpuEngine::description() const {
  const int threads = work_.pool.threads();
  const std::string processes =
      is_shared() ? fmt::format("{} processes, each ", processes_->size()) : "";
  return fmt::format("cpu, {}{} thread{}, {}", processes, threads, threads == 1 ? "" : "s",
                     products());
}

}  // namespace orrery::cpu
