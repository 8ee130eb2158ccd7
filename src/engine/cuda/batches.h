// The examples of a step, gathered and sorted on the device. While a step runs, the next one's are
// prepared on another stream: steps of an epoch follow one another, so it can be told which.
#pragma once

#include <optional>
#include <vector>

#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/engine.h"
#include "engine/entity_blocks.h"

namespace orrery::cuda {

struct BatchName : StepName {
  bool answers = false;        // contribute to gradients
  std::int32_t negatives = 0;  // drawn candidates; 0: every entity is one
  bool sparse = false;         // only entities that get a gradient are updated, and listed

  friend bool operator==(const BatchName&, const BatchName&) = default;
};

struct Batch {
  DeviceBuffer<Example> examples;
  DeviceBuffer<std::int32_t> places;  // of these among all examples
  DeviceBuffer<std::uint32_t> keys, sorted_keys;
  DeviceBuffer<std::int32_t> contributions, sorted_contributions;  // see GatherJob
  DeviceBuffer<std::int32_t> starts;                               // of each key; see find_starts
  std::vector<TimeRun> runs;  // one for all where candidates do not depend on time
  std::int32_t candidate_count = 0;
  DeviceBuffer<std::int32_t> candidate_ids, id_count;  // with negatives: see DrawJob
  DeviceBuffer<std::int32_t> targets;                  // with negatives, and of shared entities
  DeviceBuffer<TouchedRow> touched;                    // in sparse steps
  std::int32_t touched_count = 0;
  // Several processes: how many entities are borrowed from each of them, and by the places that the
  // examples have of them, which rows of this process they are; see GatherJob.
  std::vector<std::size_t> borrowed_by_process;
  DeviceBuffer<std::int32_t> entity_rows;
  std::optional<BatchName> name;
  Event ready;

  // What the host has chosen, on its way to the device.
  PinnedBuffer<Example> chosen_examples;
  PinnedBuffer<std::int32_t> chosen_places, chosen_ids, chosen_targets, chosen_rows;
  PinnedBuffer<std::int32_t> counted;  // id_count, on its way to the host

  // The first of the sorted contributions are the examples in the order of their relations.
  const std::int32_t* by_relation() const { return sorted_contributions.data(); }
  // Null where every entity is a candidate.
  const std::int32_t* ids() const { return name->negatives > 0 ? candidate_ids.data() : nullptr; }
  const std::int32_t* targets_from(std::int64_t first) const {
    const bool chosen = name->negatives > 0 || !borrowed_by_process.empty();
    return chosen ? targets.data() + first : nullptr;
  }
};

class Batches {
 public:
  // `plan`: of the entities that a process has at most. `blocks` must outlive them.
  Batches(const ModelPlan& plan, const EntityBlocks& blocks)
      : shape_(plan.shape),
        blocks_(blocks),
        by_time_(plan.variant->candidates == Candidates::each_time) {}

  void set_examples(const std::vector<Example>& examples, cudaStream_t stream);
  std::int64_t example_count() const { return static_cast<std::int64_t>(examples_.size()); }
  // Nothing of the batches before may be in use.
  void reserve(std::int64_t batch, std::int32_t negatives);
  std::uint64_t bytes() const;
  static std::uint64_t bytes_for(const ModelShape& shape, std::int64_t batch,
                                 std::int32_t negatives, std::int64_t examples, bool shared);
  // The most candidates a step can have with `negatives`.
  static std::int64_t most_candidates(const ModelShape& shape, std::int64_t batch,
                                      std::int32_t negatives);

  // The batch of this name, which `user` is made to wait for; it lasts until prepare_after is
  // called for the batch that follows it.
  const Batch& take(const BatchName& name, cudaStream_t preparer, cudaStream_t user);
  // Prepares what will probably be taken next. What `preparer` does must come after the last use of
  // the batch before the last one.
  void prepare_after(const BatchName& name, cudaStream_t preparer);

 private:
  void prepare(Batch& batch, const BatchName& name, cudaStream_t stream);
  void choose_on_host(Batch& batch, const BatchName& name, cudaStream_t stream);
  void choose_shared(Batch& batch, const BatchName& name, std::vector<Example>& chosen,
                     cudaStream_t stream);
  bool draws_here(const BatchName& name) const {
    return name.negatives > 0 && !blocks_.are_shared();
  }
  void draw_candidates(Batch& batch, const BatchName& name, cudaStream_t stream);
  void find_rows(Batch& batch, const BatchName& name, std::int32_t pairs, cudaStream_t stream);
  // Of entities' contributions in the sorted list, which are its last.
  static std::int32_t entity_places(const BatchName& name) {
    return static_cast<std::int32_t>(name.count) * (name.answers ? 2 : 1);
  }
  static std::size_t space_for(std::int64_t batch, std::int32_t negatives);
  // Keys count the rows of all relations, all times and all entities.
  static std::uint32_t key_bound(const ModelShape& shape) {
    return static_cast<std::uint32_t>(shape.relation_rows + shape.times + shape.entities);
  }

  ModelShape shape_;
  const EntityBlocks& blocks_;
  bool by_time_;  // examples of a step are taken in the order of their times
  DeviceBuffer<Example> examples_;
  std::vector<Example> on_host_;  // the same, from when the host needs them
  Batch batches_[2];
  int last_ = 0;  // taken
  DeviceBuffer<std::int32_t> draws_, sorted_draws_;
  DeviceBuffer<std::uint8_t> sort_space_;
};

}  // namespace orrery::cuda
