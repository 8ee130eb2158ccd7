#include "engine/cuda/cuda_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/memory_budget.h"

namespace orrery::cuda {
namespace {

std::uint64_t free_memory(const EngineOptions& options) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for its free memory");
  const std::uint64_t usable = free / 10 * 9;  // the rest is left to libraries and other programs
  return options.memory != 0 ? std::min<std::uint64_t>(options.memory, usable) : usable;
}

// Makes the device current before the members that live on it are made.
int made_current(int device) {
  check(cudaSetDevice(device), "starting");
  return device;
}

std::string name_of_device(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "asking for its name");
  return properties.name;
}

// Of a block, where the device can copy into it by itself (compute capability 9).
std::size_t stageable_memory(int device) {
  int major = 0, bytes = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "starting");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "starting");
  return major >= 9 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

CudaEngine::CudaEngine(ModelPlan plan, const EngineOptions& options, int device)
    : Engine(std::move(plan)),
      device_(made_current(device)),
      precision_(options.precision == Precision::automatic ? Precision::bf16 : options.precision),
      device_name_(name_of_device(device)),
      shared_memory_(stageable_memory(device)),
      batch_hint_(options.batch),
      memory_(plan_memory(plan_, tables_, precision_, 0, 0, free_memory(options))),
      kernels_(row_kernels(plan_.variant->index)),
      batches_(plan_.shape),
      sums_(1) {
  allocate_tables();
  set_losses({});
}

void CudaEngine::use_device() const { check(cudaSetDevice(device_), "starting"); }

void CudaEngine::allocate_tables() {
  table_of_row_.fill(-1);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    data_.emplace_back();
    data_[t].values = zeroed<float>(table_floats(t));
    table_of_row_[tables_[t].row] = static_cast<int>(t);
  }
  std::vector<float> one(static_cast<std::size_t>(plan_.shape.dim));
  const int lanes = plan_.shape.dim / plan_.variant->algebra_size;
  for (int c = 0; c < plan_.variant->algebra_size; ++c)
    if (plan_.variant->unit[static_cast<std::size_t>(c)])
      std::fill_n(one.begin() + c * lanes, lanes, 1.0F);
  constant_zero_ = zeroed<float>(row_stride());
  constant_one_ = zeroed<float>(row_stride());
  write_rows(one, constant_one_.data());
}

// Questions may be asked of an engine that never trains.
void CudaEngine::allocate_for_asking() {
  const auto rows = static_cast<std::size_t>(memory_.asking_rows);
  if (asked_.size() < rows) asked_ = DeviceBuffer<Example>(rows);
  if (scores_.size() > 0) return;
  scores_ = DeviceBuffer<float>(rows * score_stride());
  asked_queries_ = zeroed<float>(rows * row_stride());
}

void CudaEngine::allocate_squares() {
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (data_[t].squares.size() == 0) data_[t].squares = zeroed<float>(table_floats(t));
}

void CudaEngine::allocate_for_training(std::int64_t batch) {
  if (batch <= memory_.batch) return;
  memory_ =
      plan_memory(plan_, tables_, precision_, batch, batches_.example_count(), memory_.available);
  for (auto* buffer : {&scores_, &asked_queries_, &queries_, &query_gradients_})
    *buffer = DeviceBuffer<float>();
  allocate_squares();
  const auto rows = static_cast<std::size_t>(batch);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (tables_[t].of != RowOf::relation && data_[t].base.size() == 0)
      data_[t].base = zeroed<float>(table_floats(t));
    const ContributionSize size = contributions_of(plan_.shape, tables_[t], precision_, batch);
    data_[t].contributions = DeviceBuffer<std::uint8_t>();
    data_[t].contributions = zeroed<std::uint8_t>(size.rows * row_stride() * size.element);
    data_[t].folded = DeviceBuffer<float>(size.folded_rows * row_stride());
  }
  const auto asked = static_cast<std::size_t>(memory_.asking_rows);
  scores_ = DeviceBuffer<float>(std::max(asked, static_cast<std::size_t>(memory_.score_rows)) *
                                score_stride());
  query_gradients_ = zeroed<float>(std::max(asked, rows) * row_stride());
  if (rounds()) {
    rounded_queries_ = zeroed<std::uint16_t>(rows * row_stride());
    if (rounded_entities_.size() == 0) rounded_entities_ = zeroed<std::uint16_t>(table_floats(0));
    refresh_rounded_entities();
  } else {
    queries_ = zeroed<float>(rows * row_stride());
  }
  batches_.reserve(batch);
  attention_ = zeroed<Attention>(rows);
  const RowJob job = row_job();
  const auto slices = static_cast<std::size_t>(job.slices());
  loss_values_ = DeviceBuffer<float>(rows);
  penalty_values_ = DeviceBuffer<float>((rows + window_examples - 1) / window_examples * slices);
  std::size_t time_tables = 0;
  for (const TableSpec& table : tables_) time_tables += table.of == RowOf::time;
  smooth_values_ =
      DeviceBuffer<float>(time_tables * static_cast<std::size_t>(plan_.shape.times) * slices);
}

void CudaEngine::set_examples(std::vector<Example> examples) {
  use_device();
  batches_.set_examples(examples, stream_);
  allocate_squares();
  allocate_for_training(std::min(batch_hint_, batches_.example_count()));
}

DeviceBuffer<float>& CudaEngine::buffer_of(std::size_t table, State state) {
  TableData& data = data_.at(table);
  return state == State::value     ? data.values
         : state == State::adagrad ? data.squares
                                   : data.averages;
}
const DeviceBuffer<float>& CudaEngine::buffer_of(std::size_t table, State state) const {
  return const_cast<CudaEngine*>(this)->buffer_of(table, state);
}

// Rows are repacked in pieces that fit the products' workspace.
template <class Move>
void CudaEngine::in_pieces(std::size_t rows, const Move& move) const {
  const std::size_t dim = static_cast<std::size_t>(plan_.shape.dim);
  auto* workspace = reinterpret_cast<float*>(products_.workspace().data());
  RepackJob job;
  job.components = plan_.variant->algebra_size;
  job.lanes = plan_.shape.dim / job.components;
  job.stride = row_stride();
  const std::size_t most = products_.workspace().bytes() / (dim * sizeof(float));
  for (std::size_t done = 0; done < rows; done += job.rows) {
    job.rows = std::min(most, rows - done);
    move(job, done, workspace, job.rows * dim * sizeof(float));
    check(cudaStreamSynchronize(stream_), "copying rows");
  }
}

void CudaEngine::read(std::size_t table, State state, std::span<float> rows) const {
  use_device();
  const DeviceBuffer<float>& buffer = buffer_of(table, state);
  if (buffer.size() == 0) {  // a state that training has not begun
    std::ranges::fill(rows, 0.0F);
    return;
  }
  const auto dim = static_cast<std::size_t>(plan_.shape.dim);
  in_pieces(rows.size() / dim, [&](const RepackJob& job, std::size_t first, float* space,
                                   std::size_t bytes) {
    to_logical(job, buffer.data() + first * row_stride(), space, stream_);
    check(cudaMemcpyAsync(rows.data() + first * dim, space, bytes, cudaMemcpyDeviceToHost, stream_),
          "reading rows");
  });
}

void CudaEngine::write_rows(std::span<const float> rows, float* to) {
  const auto dim = static_cast<std::size_t>(plan_.shape.dim);
  in_pieces(rows.size() / dim, [&](const RepackJob& job, std::size_t first, float* space,
                                   std::size_t bytes) {
    check(cudaMemcpyAsync(space, rows.data() + first * dim, bytes, cudaMemcpyHostToDevice, stream_),
          "writing rows");
    from_logical(job, space, to + first * row_stride(), stream_);
  });
}

void CudaEngine::write(std::size_t table, State state, std::span<const float> rows) {
  use_device();
  if (state == State::adagrad) allocate_squares();
  if (state == State::average) allocate_averages();
  write_rows(rows, buffer_of(table, state).data());
  if (table == 0 && state == State::value) refresh_rounded_entities();
}

void CudaEngine::refresh_rounded_entities() {
  if (rounded_entities_.size() > 0)
    round_rows(data_[0].values.data(), rounded_entities_.data(), rounded_entities_.size(), stream_);
}

void CudaEngine::allocate_averages() {
  if (has_average_) return;
  for (std::size_t t = 0; t < tables_.size(); ++t)
    data_[t].averages = zeroed<float>(table_floats(t));
  has_average_ = true;
}

void CudaEngine::update_average(double decay) {
  use_device();
  const float kept = has_average_ ? static_cast<float>(decay) : 0.0F;
  allocate_averages();
  for (auto& data : data_)
    average(data.averages.data(), data.values.data(), data.values.size(), kept, stream_);
}

void CudaEngine::swap_average() {
  if (!has_average_) return;
  use_device();
  for (auto& data : data_) std::swap(data.values, data.averages);
  refresh_rounded_entities();
}

LossSums CudaEngine::losses() {
  use_device();
  DeviceLosses sums;
  sums_.download({&sums, 1}, side_stream_);
  check(cudaStreamSynchronize(stream_), "finishing a step");
  return {sums.cross_entropy, sums.n3, sums.time, sums.steps};
}

void CudaEngine::set_losses(const LossSums& sums) {
  use_device();
  const DeviceLosses written{sums.cross_entropy, sums.n3, sums.time, sums.steps};
  sums_.upload({&written, 1}, side_stream_);
}

std::string CudaEngine::description() const {
  const char* products = precision_ == Precision::bf16   ? "bf16"
                         : precision_ == Precision::tf32 ? "tf32"
                                                         : "fp32";
  const std::string chunks = memory_.batch > memory_.score_rows
                                 ? fmt::format(", {} rows of scores at a time", memory_.score_rows)
                                 : "";
  return fmt::format("cuda:{}, {}, cuBLASLt {}, {}{}", device_, device_name_, products,
                     format_memory(memory_.needed), chunks);
}

std::uint64_t CudaEngine::device_bytes() const {
  std::uint64_t bytes = products_.workspace().bytes();
  for (const auto& data : data_)
    bytes += data.values.bytes() + data.squares.bytes() + data.averages.bytes() +
             data.base.bytes() + data.contributions.bytes() + data.folded.bytes();
  for (const auto* buffer : {&constant_zero_, &constant_one_, &scores_, &asked_queries_, &queries_,
                             &query_gradients_, &loss_values_, &penalty_values_, &smooth_values_})
    bytes += buffer->bytes();
  return bytes + rounded_entities_.bytes() + rounded_queries_.bytes() + batches_.bytes() +
         asked_.bytes() + attention_.bytes();
}

}  // namespace orrery::cuda
