// The examples of a step, gathered and sorted on the device. While a step runs, the next one's are
// prepared on another stream: steps of an epoch follow one another, so it can be told which.
#pragma once

#include <optional>
#include <vector>

#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"
#include "models/registry.h"

namespace orrery::cuda {

struct BatchName {
  std::uint64_t shuffle_key = 0;
  std::int64_t first = 0, count = 0;
  bool answers = false;  // contribute to gradients

  friend bool operator==(const BatchName&, const BatchName&) = default;
};

struct Batch {
  DeviceBuffer<Example> examples;
  DeviceBuffer<std::uint32_t> keys, sorted_keys;
  DeviceBuffer<std::int32_t> contributions, sorted_contributions;  // see GatherJob
  DeviceBuffer<std::int32_t> starts;                               // of each key; see find_starts
  std::optional<BatchName> name;
  Event ready;

  // The first of the sorted contributions are the examples in the order of their relations.
  const std::int32_t* by_relation() const { return sorted_contributions.data(); }
};

class Batches {
 public:
  explicit Batches(const ModelShape& shape) : shape_(shape) {}

  void set_examples(const std::vector<Example>& examples, cudaStream_t stream);
  std::int64_t example_count() const { return static_cast<std::int64_t>(examples_.size()); }
  // Nothing of the batches before may be in use.
  void reserve(std::int64_t batch);
  std::uint64_t bytes() const;
  static std::uint64_t bytes_for(const ModelShape& shape, std::int64_t batch,
                                 std::int64_t examples);

  // The batch of this name, which `user` is made to wait for; it lasts until prepare_after is
  // called for the batch that follows it.
  const Batch& take(const BatchName& name, cudaStream_t preparer, cudaStream_t user);
  // Prepares what will probably be taken next. What `preparer` does must come after the last use of
  // the batch before the last one.
  void prepare_after(const BatchName& name, cudaStream_t preparer);

 private:
  void prepare(Batch& batch, const BatchName& name, cudaStream_t stream);
  // Keys count the rows of all relations, all times and all entities.
  static std::uint32_t key_bound(const ModelShape& shape) {
    return static_cast<std::uint32_t>(shape.relation_rows + shape.times + shape.entities);
  }

  ModelShape shape_;
  DeviceBuffer<Example> examples_;
  Batch batches_[2];
  int last_ = 0;  // taken
  DeviceBuffer<std::uint8_t> sort_space_;
};

}  // namespace orrery::cuda
