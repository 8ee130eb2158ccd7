#include "engine/cuda/batches.h"

#include <algorithm>

namespace orrery::cuda {

void Batches::set_examples(const std::vector<Example>& examples, cudaStream_t stream) {
  for (Batch& batch : batches_) batch.name.reset();
  examples_ = DeviceBuffer<Example>();
  examples_ = DeviceBuffer<Example>(examples.size());
  examples_.upload(examples, stream);
}

void Batches::reserve(std::int64_t batch) {
  const auto rows = static_cast<std::size_t>(batch);
  sort_space_ = DeviceBuffer<std::uint8_t>();
  for (Batch& one : batches_) {
    one = Batch();
    one.examples = DeviceBuffer<Example>(rows);
    one.keys = DeviceBuffer<std::uint32_t>(4 * rows);
    one.sorted_keys = DeviceBuffer<std::uint32_t>(4 * rows);
    one.contributions = DeviceBuffer<std::int32_t>(4 * rows);
    one.sorted_contributions = DeviceBuffer<std::int32_t>(4 * rows);
    one.starts = DeviceBuffer<std::int32_t>(std::size_t{key_bound(shape_)} + 1);
  }
  sort_space_ = DeviceBuffer<std::uint8_t>(sort_space(static_cast<std::int32_t>(4 * batch)));
}

std::uint64_t Batches::bytes_for(const ModelShape& shape, std::int64_t batch,
                                 std::int64_t examples) {
  constexpr std::uint64_t lists = 4 * 4 * sizeof(std::int32_t);  // keys and values, sorted and not
  const std::uint64_t starts = (std::uint64_t{key_bound(shape)} + 1) * sizeof(std::int32_t);
  const auto rows = static_cast<std::uint64_t>(batch);
  return static_cast<std::uint64_t>(examples) * sizeof(Example) +
         2 * (rows * (sizeof(Example) + lists) + starts) +
         sort_space(static_cast<std::int32_t>(4 * batch));
}

std::uint64_t Batches::bytes() const {
  std::uint64_t bytes = examples_.bytes() + sort_space_.bytes();
  for (const Batch& batch : batches_)
    bytes += batch.examples.bytes() + batch.keys.bytes() + batch.sorted_keys.bytes() +
             batch.contributions.bytes() + batch.sorted_contributions.bytes() +
             batch.starts.bytes();
  return bytes;
}

const Batch& Batches::take(const BatchName& name, cudaStream_t preparer, cudaStream_t user) {
  last_ = 1 - last_;
  Batch& batch = batches_[last_];
  if (batch.name != name) prepare(batch, name, preparer);
  check(cudaStreamWaitEvent(user, batch.ready), "waiting for a batch");
  return batch;
}

void Batches::prepare_after(const BatchName& name, cudaStream_t preparer) {
  BatchName next = name;
  next.first += name.count;
  next.count = std::min(name.count, example_count() - next.first);
  if (next.count > 0) prepare(batches_[1 - last_], next, preparer);
}

void Batches::prepare(Batch& batch, const BatchName& name, cudaStream_t stream) {
  batch.name.reset();
  GatherJob job;
  job.examples = examples_.data();
  job.example_count = examples_.size();
  job.shuffle_key = name.shuffle_key;
  job.first = static_cast<std::uint64_t>(name.first);
  job.count = static_cast<std::int32_t>(name.count);
  job.answers = name.answers;
  job.relations = shape_.relation_rows;
  job.times = shape_.times;
  job.batch = batch.examples.data();
  job.keys = batch.keys.data();
  job.values = batch.contributions.data();
  gather(job, stream);
  sort_pairs(sort_space_.data(), sort_space_.size(), batch.keys.data(), batch.sorted_keys.data(),
             batch.contributions.data(), batch.sorted_contributions.data(), job.contributions(),
             key_bound(shape_), stream);
  find_starts(batch.sorted_keys.data(), job.contributions(), key_bound(shape_), batch.starts.data(),
              stream);
  batch.name = name;
  check(cudaEventRecord(batch.ready, stream), "preparing a batch");
}

}  // namespace orrery::cuda
