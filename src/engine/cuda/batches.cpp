#include "engine/cuda/batches.h"

#include <algorithm>

#include "base/random.h"
#include "engine/candidates.h"

namespace orrery::cuda {

std::uint64_t BatchName::step_key() const {
  return random_bits(shuffle_key, static_cast<std::uint64_t>(first));
}

void Batches::set_examples(const std::vector<Example>& examples, cudaStream_t stream) {
  for (Batch& batch : batches_) batch.name.reset();
  on_host_.clear();
  if (examples_.size() != examples.size()) {
    examples_ = DeviceBuffer<Example>();
    examples_ = DeviceBuffer<Example>(examples.size());
  }
  examples_.upload(examples, stream);
}

std::int64_t Batches::most_candidates(const ModelShape& shape, std::int64_t batch,
                                      std::int32_t negatives) {
  return std::min<std::int64_t>(shape.entities, batch + negatives);
}

void Batches::reserve(std::int64_t batch, std::int32_t negatives) {
  const auto rows = static_cast<std::size_t>(batch);
  sort_space_ = DeviceBuffer<std::uint8_t>();
  for (Batch& one : batches_) {
    one = Batch();
    one.examples = DeviceBuffer<Example>(rows);
    one.places = DeviceBuffer<std::int32_t>(rows);
    one.keys = DeviceBuffer<std::uint32_t>(4 * rows);
    one.sorted_keys = DeviceBuffer<std::uint32_t>(4 * rows);
    one.contributions = DeviceBuffer<std::int32_t>(4 * rows);
    one.sorted_contributions = DeviceBuffer<std::int32_t>(4 * rows);
    one.starts = DeviceBuffer<std::int32_t>(std::size_t{key_bound(shape_)} + 1);
    if (blocks_.are_shared()) one.entity_rows = DeviceBuffer<std::int32_t>(2 * rows);
    if (negatives > 0 || blocks_.are_shared()) one.targets = DeviceBuffer<std::int32_t>(rows);
    if (negatives == 0) continue;
    one.candidate_ids = DeviceBuffer<std::int32_t>(
        static_cast<std::size_t>(most_candidates(shape_, batch, negatives)));
  }
  sort_space_ = DeviceBuffer<std::uint8_t>(sort_space(static_cast<std::int32_t>(4 * batch)));
}

std::uint64_t Batches::bytes_for(const ModelShape& shape, std::int64_t batch,
                                 std::int32_t negatives, std::int64_t examples, bool shared) {
  constexpr std::uint64_t lists = 4 * 4 * sizeof(std::int32_t);  // keys and values, sorted and not
  const std::uint64_t starts = (std::uint64_t{key_bound(shape)} + 1) * sizeof(std::int32_t);
  const auto rows = static_cast<std::uint64_t>(batch);
  const auto candidates = static_cast<std::uint64_t>(most_candidates(shape, batch, negatives));
  const std::uint64_t drawn = negatives == 0 ? 0 : (candidates + rows) * sizeof(std::int32_t);
  const std::uint64_t targets = shared && negatives == 0 ? rows * sizeof(std::int32_t) : 0;
  const std::uint64_t borrowed = shared ? 2 * rows * sizeof(std::int32_t) : 0;
  return static_cast<std::uint64_t>(examples) * sizeof(Example) +
         2 * (rows * (sizeof(Example) + sizeof(std::int32_t) + lists) + starts + drawn + targets +
              borrowed) +
         sort_space(static_cast<std::int32_t>(4 * batch));
}

std::uint64_t Batches::bytes() const {
  std::uint64_t bytes = examples_.bytes() + sort_space_.bytes();
  for (const Batch& batch : batches_)
    bytes += batch.examples.bytes() + batch.places.bytes() + batch.keys.bytes() +
             batch.sorted_keys.bytes() + batch.contributions.bytes() +
             batch.sorted_contributions.bytes() + batch.starts.bytes() +
             batch.candidate_ids.bytes() + batch.targets.bytes() + batch.entity_rows.bytes();
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
  batch.candidate_count = shape_.entities;
  batch.runs = {{0, 0, static_cast<std::int32_t>(name.count)}};
  const bool chosen_here = by_time_ || name.negatives > 0 || blocks_.are_shared();
  if (chosen_here) choose_on_host(batch, name, stream);
  GatherJob job;
  job.examples = chosen_here ? nullptr : examples_.data();
  job.example_count = examples_.size();
  job.shuffle_key = name.shuffle_key;
  job.first = static_cast<std::uint64_t>(name.first);
  job.count = static_cast<std::int32_t>(name.count);
  job.answers = name.answers;
  job.relations = shape_.relation_rows;
  job.times = shape_.times;
  job.entity_rows = batch.entity_rows.data();
  job.batch = batch.examples.data();
  job.places = batch.places.data();
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

// Which examples and which candidates a step takes, where the host must know.
void Batches::choose_on_host(Batch& batch, const BatchName& name, cudaStream_t stream) {
  if (on_host_.empty()) {
    on_host_.resize(examples_.size());
    examples_.download(on_host_, stream);
  }
  const RandomPermutation order(on_host_.size(), name.shuffle_key);
  std::vector<std::int32_t> places(static_cast<std::size_t>(name.count));
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<std::int32_t>(order(static_cast<std::uint64_t>(name.first) + i));
  const auto example_at = [&](std::int32_t place) -> const Example& {
    return on_host_[static_cast<std::size_t>(place)];
  };
  if (by_time_)
    std::ranges::stable_sort(places, {}, [&](std::int32_t p) { return example_at(p).query.time; });
  std::vector<Example> chosen;
  chosen.reserve(places.size());
  for (const std::int32_t place : places) chosen.push_back(example_at(place));
  if (by_time_) {
    batch.runs.clear();
    const auto time_of = [&](std::size_t i) { return chosen[i].query.time; };
    for_each_run(chosen.size(), Candidates::each_time, time_of,
                 [&](std::size_t begin, std::size_t end) {
                   batch.runs.push_back({time_of(begin), static_cast<std::int32_t>(begin),
                                         static_cast<std::int32_t>(end - begin)});
                 });
  }
  // What the pinned memory held two steps ago must have left it.
  check(cudaEventSynchronize(batch.ready), "preparing a batch");
  if (blocks_.are_shared()) choose_shared(batch, name, chosen, stream);
  batch.chosen_examples.send(chosen, batch.examples.data(), stream);
  batch.chosen_places.send(places, batch.places.data(), stream);
  if (name.negatives == 0 || blocks_.are_shared()) return;
  const auto ids = candidate_ids(chosen, shape_.entities, name.negatives, name.step_key());
  std::vector<std::int32_t> targets;
  for (const Example& example : chosen)
    targets.push_back(static_cast<std::int32_t>(position_of(ids, example.object)));
  batch.candidate_count = static_cast<std::int32_t>(ids.size());
  batch.chosen_ids.send(ids, batch.candidate_ids.data(), stream);
  batch.chosen_targets.send(targets, batch.targets.data(), stream);
}

}  // namespace orrery::cuda
