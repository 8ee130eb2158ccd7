#include "engine/cuda/batches.h"

#include <algorithm>

#include "base/random.h"
#include "engine/candidates.h"

namespace orrery::cuda {

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
  const std::size_t draws = negatives == 0 ? 0 : rows + static_cast<std::size_t>(negatives);
  draws_ = DeviceBuffer<std::int32_t>();
  sorted_draws_ = DeviceBuffer<std::int32_t>();
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
    if (blocks_.are_shared()) continue;  // its host draws
    one.id_count = DeviceBuffer<std::int32_t>(1);
    one.touched = DeviceBuffer<TouchedRow>(one.candidate_ids.size() + 2 * rows);
  }
  draws_ = DeviceBuffer<std::int32_t>(draws);
  sorted_draws_ = DeviceBuffer<std::int32_t>(draws);
  sort_space_ = DeviceBuffer<std::uint8_t>(space_for(batch, negatives));
}

std::size_t Batches::space_for(std::int64_t batch, std::int32_t negatives) {
  const std::size_t space = sort_space(static_cast<std::int32_t>(4 * batch));
  if (negatives == 0) return space;
  return std::max(space, draw_space(static_cast<std::int32_t>(batch + negatives)));
}

std::uint64_t Batches::bytes_for(const ModelShape& shape, std::int64_t batch,
                                 std::int32_t negatives, std::int64_t examples, bool shared) {
  constexpr std::uint64_t lists = 4 * 4 * sizeof(std::int32_t);  // keys and values, sorted and not
  const std::uint64_t starts = (std::uint64_t{key_bound(shape)} + 1) * sizeof(std::int32_t);
  const auto rows = static_cast<std::uint64_t>(batch);
  std::uint64_t drawn = 0;
  if (negatives > 0) {
    const auto candidates = static_cast<std::uint64_t>(most_candidates(shape, batch, negatives));
    const std::uint64_t draws = rows + static_cast<std::uint64_t>(negatives);
    drawn = 2 * ((candidates + 1 + rows + draws) * sizeof(std::int32_t) +
                 (candidates + 2 * rows) * sizeof(TouchedRow));
  }
  // Targets, and which rows are borrowed.
  const std::uint64_t shared_rows = shared ? 3 * rows * sizeof(std::int32_t) : 0;
  return static_cast<std::uint64_t>(examples) * sizeof(Example) +
         2 * (rows * (sizeof(Example) + sizeof(std::int32_t) + lists) + starts + shared_rows) +
         drawn + space_for(batch, negatives);
}

std::uint64_t Batches::bytes() const {
  std::uint64_t bytes =
      examples_.bytes() + draws_.bytes() + sorted_draws_.bytes() + sort_space_.bytes();
  for (const Batch& batch : batches_)
    bytes += batch.examples.bytes() + batch.places.bytes() + batch.keys.bytes() +
             batch.sorted_keys.bytes() + batch.contributions.bytes() +
             batch.sorted_contributions.bytes() + batch.starts.bytes() +
             batch.candidate_ids.bytes() + batch.id_count.bytes() + batch.targets.bytes() +
             batch.touched.bytes() + batch.entity_rows.bytes();
  return bytes;
}

const Batch& Batches::take(const BatchName& name, cudaStream_t preparer, cudaStream_t user) {
  last_ = 1 - last_;
  Batch& batch = batches_[last_];
  if (batch.name != name) prepare(batch, name, preparer);
  check(cudaStreamWaitEvent(user, batch.ready), "waiting for a batch");
  if (draws_here(name)) {
    // Waits for the start of the step before, as a rule: there the batch was prepared.
    check(cudaEventSynchronize(batch.ready), "waiting for a batch");
    batch.candidate_count = batch.counted[0];
    batch.touched_count = entity_places(name) + batch.candidate_count;
  }
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
  const bool chosen_here = by_time_ || blocks_.are_shared();
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
  if (draws_here(name)) draw_candidates(batch, name, stream);
  find_rows(batch, name, job.contributions(), stream);
  batch.name = name;
  check(cudaEventRecord(batch.ready, stream), "preparing a batch");
}

// Where each row's contributions lie in the sorted list: of entities in sparse steps only those
// that get a gradient are looked for.
void Batches::find_rows(Batch& batch, const BatchName& name, std::int32_t pairs,
                        cudaStream_t stream) {
  const auto first_entity = static_cast<std::uint32_t>(shape_.relation_rows + shape_.times);
  find_starts(batch.sorted_keys.data(), pairs, name.sparse ? first_entity : key_bound(shape_),
              batch.starts.data(), stream);
  if (!name.sparse) return;
  TouchedJob job;
  job.ids = batch.candidate_ids.data();
  job.id_count = batch.id_count.data();
  job.most_ids = static_cast<std::int32_t>(most_candidates(shape_, name.count, name.negatives));
  job.sorted_keys = batch.sorted_keys.data();
  job.first_place = pairs - entity_places(name);
  job.end_place = pairs;
  job.first_key = first_entity;
  job.rows = batch.touched.data();
  list_touched(job, stream);
}

// The step's host must know how many candidates there are, and nothing else of them.
void Batches::draw_candidates(Batch& batch, const BatchName& name, cudaStream_t stream) {
  DrawJob job;
  job.batch = batch.examples.data();
  job.batch_count = static_cast<std::int32_t>(name.count);
  job.negatives = name.negatives;
  job.entities = shape_.entities;
  job.step_key = name.key();
  job.drawn = draws_.data();
  job.sorted = sorted_draws_.data();
  job.ids = batch.candidate_ids.data();
  job.id_count = batch.id_count.data();
  job.targets = batch.targets.data();
  draw(job, sort_space_.data(), sort_space_.size(), stream);
  batch.counted.fetch(batch.id_count.data(), 1, stream);
}

// Where the host must know the examples: their runs of one time, or who has their rows.
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
}

}  // namespace orrery::cuda
