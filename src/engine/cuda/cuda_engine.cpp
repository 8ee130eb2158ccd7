#include "engine/cuda/cuda_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/agreement.h"
#include "base/error.h"
#include "base/memory_budget.h"
#include "engine/state_buffer.h"

namespace orrery::cuda {
namespace {

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

int compute_capability(int device) {
  int major = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "starting");
  return major;
}

// Of a block, where the device can copy into it by itself (compute capability 9).
std::size_t stageable_memory(int device) {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "starting");
  return compute_capability(device) >= 9 ? static_cast<std::size_t>(bytes) : 0;
}

// bf16 is what Hopper is best at; see README for what it costs in accuracy.
Precision precision_for(int device, Precision asked) {
  const int major = compute_capability(device);
  if (asked == Precision::automatic)
    return major >= 9 ? Precision::bf16 : major == 8 ? Precision::tf32 : Precision::fp32;
  if (asked == Precision::bf16 && major < 8)
    fail_request(About{.option = "precision", .advice = "take fp32"},
                 "$precision bf16: this GPU has no bf16 products");
  return asked;
}

// What one process cannot have, none trains with.
Precision agreed_precision(int device, const EngineOptions& options) {
  Precision precision = options.precision;
  together(options.processes, [&] { precision = precision_for(device, options.precision); });
  return precision;
}

const char* name_of(Precision precision) {
  return precision == Precision::bf16 ? "bf16" : precision == Precision::tf32 ? "tf32" : "fp32";
}

const char* name_of(OnHost on_host) {
  switch (on_host) {
    case OnHost::nothing:
      return "nothing";
    case OnHost::averages:
      return "averages";
    case OnHost::states:
      return "optimizer state";
    case OnHost::gradients:
      return "optimizer state and gradients";
    default:
      return "embeddings";
  }
}

}  // namespace

CudaEngine::CudaEngine(ModelPlan plan, const EngineOptions& options, int device)
    : Engine(std::move(plan), options),
      blocks_(plan_.shape.entities, options.processes),
      block_plan_(plan_of_block()),
      shared_rows_(blocks_, all_tables_, *this),
      device_(made_current(device)),
      exchange_(options.processes, options.direct),
      precision_(agreed_precision(device, options)),
      device_name_(name_of_device(device)),
      shared_memory_(stageable_memory(device)),
      batch_hint_(options.batch),
      negatives_hint_(static_cast<std::int32_t>(options.negatives)),
      every_row_(options.every_row),
      averages_planned_(options.averages),
      on_host_(static_cast<OnHost>(options.tables_on_host)),
      available_(share_of_device(options)),
      host_available_(share_of_host(options)),
      wish_(wish_at_start()),
      memory_(plan_for(wish_)),
      kernels_(row_kernels(plan_.variant->index)),
      compare_(compare_kernels(plan_.variant->index)),
      buffers_(all_tables_.size()),
      batches_(block_plan_, blocks_),
      sums_(1) {
  allocate_tables();
  set_losses({});
}

// What the members free must not be in use.
CudaEngine::~CudaEngine() {
  cudaSetDevice(device_);
  exchange_.end(stream_);
  cudaDeviceSynchronize();
}

void CudaEngine::use_device() const {
  if (!is_whole_)
    fail_broken("this model's memory could not be allocated on the GPU; make it anew");
  check(cudaSetDevice(device_), "starting");
}

// Before buffers are freed that either stream may be using.
void CudaEngine::finish_all() const {
  exchange_.settle(stream_);
  check(cudaDeviceSynchronize(), "finishing its work");
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

// The rows that this process has.
void CudaEngine::read_here(std::size_t table, State state, std::span<float> rows) const {
  const std::lock_guard lock(asking_);
  use_device();
  exchange_.settle(stream_);
  const DeviceBuffer<float>& buffer = buffer_of(buffers_.tables.at(table), state);
  if (buffer.size() == 0) {  // a state that training has not begun
    std::ranges::fill(rows, 0.0F);
    return;
  }
  if (table == tables_.size()) {  // of features, which have no lanes
    buffer.download(rows, stream_);
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

// Of all rows, those that this process has.
void CudaEngine::write_here(std::size_t table, State state, std::span<const float> all_rows) {
  use_device();
  check_state(state);
  exchange_.settle(stream_);
  if (is_of_optimizer(state)) allocate({Stage::states});
  if (state == State::average) allocate_averages();
  DeviceBuffer<float>& buffer = buffer_of(buffers_.tables.at(table), state);
  const auto dim = static_cast<std::size_t>(plan_.shape.dim);
  if (table == tables_.size())
    buffer.upload(all_rows, stream_);
  else if (is_shared(table))
    write_rows(all_rows.subspan(static_cast<std::size_t>(first_entity()) * dim,
                                static_cast<std::size_t>(own_entities()) * dim),
               buffer.data());
  else
    write_rows(all_rows, buffer.data());
  if (table == 0 && state == State::value) refresh_rounded_entities();
}

void CudaEngine::refresh_rounded_entities() {
  if (buffers_.rounded_entities.size() > 0)
    round_rows(buffers_.tables[0].values.data(), buffers_.rounded_entities.data(),
               buffers_.rounded_entities.size(), stream_);
}

void CudaEngine::update_average(double decay) {
  use_device();
  const float kept = has_average_ ? static_cast<float>(decay) : 0.0F;
  allocate_averages();
  for (auto& data : buffers_.tables)
    average(data.averages.data(), data.values.data(), data.values.size(), kept, stream_);
}

void CudaEngine::swap_average() {
  if (!has_average_) return;
  use_device();
  shared_rows_.swap_average();
  for (auto& data : buffers_.tables) std::swap(data.values, data.averages);
  refresh_rounded_entities();
}

LossSums CudaEngine::losses() {
  use_device();
  exchange_.settle(stream_);
  DeviceLosses sums;
  sums_.download({&sums, 1}, side_stream_);
  check(cudaStreamSynchronize(stream_), "finishing a step");
  return {sums.cross_entropy, sums.n3, sums.time, sums.auxiliary, sums.steps};
}

void CudaEngine::set_losses(const LossSums& sums) {
  use_device();
  const DeviceLosses written{sums.cross_entropy, sums.n3, sums.time, sums.auxiliary, sums.steps};
  sums_.upload({&written, 1}, side_stream_);
}

std::string CudaEngine::arithmetic() const {
  if (!plan_.variant->by_product) return fmt::format("{}, distances in fp32", device_name_);
  return fmt::format("{}, cuBLASLt {} {}", device_name_, cublas_lt().version(),
                     name_of(precision_));
}

std::string CudaEngine::description() const {
  const std::string chunks = memory_.batch > memory_.score_rows
                                 ? fmt::format(", {} rows of scores at a time", memory_.score_rows)
                                 : "";
  const std::string scores = plan_.variant->by_product
                                 ? fmt::format("cuBLASLt {}", name_of(precision_))
                                 : "distances in fp32";
  const std::string processes = is_shared() ? fmt::format("{} processes{}, each ", blocks_.count(),
                                                          exchange_.is_direct() ? " by NCCL" : "")
                                            : "";
  const std::string host =
      memory_.host_needed > 0
          ? fmt::format(", {} in {} of the host's memory, which is slower",
                        name_of(memory_.on_host), format_memory(memory_.host_needed))
          : "";
  return fmt::format("{}cuda:{}, {}, {}, {}{}{}", processes, device_, device_name_, scores,
                     format_memory(memory_.needed), chunks, host);
}

}  // namespace orrery::cuda
