// What the engine allocates, and when.
#include <algorithm>
#include <utility>

#include "engine/candidates.h"
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

MemoryWish CudaEngine::wish_for(std::int64_t batch, std::int32_t negatives,
                                std::int64_t examples) const {
  return {.precision = precision_,
          .states = optimizer_.states.size(),
          .batch = batch,
          .negatives = negatives,
          .examples = examples,
          .processes = blocks_.count(),
          .auxiliary = auxiliary_planned_,
          .averages = averages_planned_,
          .teacher = teacher_planned_,
          .on_host = on_host_,
          .available = available_ - std::min(available_, list_bytes()),
          .host_available = host_available_};
}

MemoryPlan CudaEngine::plan_for(const MemoryWish& wish) const {
  return plan_memory(block_plan_, tables_, wish);
}

// Of an engine that is asked; but what training will keep on the host is there from the start. (A
// training that cannot be is refused when its examples are known.)
MemoryWish CudaEngine::wish_at_start() const {
  MemoryWish wish = wish_for(0, 0, 0);
  if (batch_hint_ == 0) return wish;
  const MemoryWish trained = wish_for(batch_hint_, negatives_hint_, 0);
  const MemoryPlan plan = best_plan(block_plan_, tables_, trained);
  if (fits(plan, trained)) wish.on_host = plan.on_host;
  return wish;
}

// Those of the stages that are not there yet, or have another size or place now. What moves keeps
// what is in it; where to is asked for only when all else has been freed.
void CudaEngine::allocate(std::initializer_list<Stage> stages) {
  const auto wanted = [&](Stage stage) { return std::ranges::find(stages, stage) != stages.end(); };
  const auto for_each = [&](const auto& visit) {
    each_buffer(needs(), buffers_,
                [&]<class T>(DeviceBuffer<T>& buffer, std::size_t size, Stage stage, Filled filled,
                             Place place) {
                  if (wanted(stage)) visit(buffer, size, filled, place);
                });
  };
  for_each([&]<class T>(DeviceBuffer<T>& buffer, std::size_t size, Filled, Place) {
    if (buffer.size() != size) buffer = DeviceBuffer<T>();
  });
  for (const Place to : {Place::host, Place::device})
    for_each([&]<class T>(DeviceBuffer<T>& buffer, std::size_t size, Filled filled, Place place) {
      if (size == 0 || place != to) return;
      if (buffer.size() == 0) {
        buffer = DeviceBuffer<T>(size, place);
        if (filled == Filled::zeros) buffer.fill_zero(stream_);
      } else if (buffer.place() != place) {
        move_to(place, buffer);
      }
    });
}

template <class T>
void CudaEngine::move_to(Place place, DeviceBuffer<T>& buffer) {
  DeviceBuffer<T> moved(buffer.size(), place);
  check(cudaMemcpyAsync(moved.data(), buffer.data(), buffer.bytes(), cudaMemcpyDefault, stream_),
        "moving embeddings");
  check(cudaStreamSynchronize(stream_), "moving embeddings");
  buffer = std::move(moved);
}

void CudaEngine::allocate_tables() {
  allocate({Stage::start});
  table_of_row_.fill(-1);
  for (std::size_t t = 0; t < tables_.size(); ++t)
    table_of_row_[tables_[t].row] = static_cast<int>(t);
  std::vector<float> one(static_cast<std::size_t>(plan_.shape.dim));
  const int lanes = plan_.shape.dim / plan_.variant->algebra_size;
  for (int c = 0; c < plan_.variant->algebra_size; ++c)
    if (plan_.variant->unit[static_cast<std::size_t>(c)])
      std::fill_n(one.begin() + c * lanes, lanes, 1.0F);
  write_rows(one, buffers_.constant_one.data());
  buffers_.time_clock.upload(clock_of(plan_), stream_);
}

// Questions may be asked of an engine that never trains.
void CudaEngine::allocate_for_asking() { allocate({Stage::asking}); }

void CudaEngine::allocate_for_training(std::int64_t batch, std::int32_t negatives) {
  if (batch <= memory_.batch && negatives <= memory_.negatives) return;
  batch = std::max(batch, memory_.batch);
  negatives = std::max(negatives, memory_.negatives);
  const MemoryWish wish = wish_for(batch, negatives, batches_.example_count());
  const MemoryPlan wanted = plan_for(wish);
  finish_all();
  wish_ = wish;
  memory_ = wanted;
  memory_.batch = 0;  // until all is there
  try {
    if (has_average_)  // which may make room
      allocate({Stage::start, Stage::states, Stage::asking, Stage::training, Stage::averages});
    else
      allocate({Stage::start, Stage::states, Stage::asking, Stage::training});
    batches_.reserve(batch, negatives);
  } catch (...) {  // half of it is there
    is_whole_ = false;
    throw;
  }
  refresh_rounded_entities();
  memory_.batch = batch;
}

void CudaEngine::set_examples(std::vector<Example> examples) {
  use_device();
  const auto count = static_cast<std::int64_t>(examples.size());
  if (memory_.batch > 0 && count == batches_.example_count()) {  // another epoch's: all else stays
    finish_all();
    batches_.set_examples(examples, stream_);
    list_example_features(examples);
    return;
  }
  list_example_features(examples);
  const std::int32_t negatives = batch_hint_ > 0 ? negatives_hint_ : 0;
  // Refuses in time.
  plan_for(wish_for(std::max<std::int64_t>(1, std::min(batch_hint_, count)), negatives, count));
  finish_all();
  memory_.batch = 0;
  memory_.negatives = 0;
  batches_.set_examples(examples, stream_);
  allocate_for_training(std::min(batch_hint_, count), negatives);
  allocate({Stage::states});
}

void CudaEngine::allocate_averages() {
  if (has_average_) return;
  allocate({Stage::averages});
  has_average_ = averages_planned_ = true;
}

std::uint64_t CudaEngine::device_bytes() const {
  std::uint64_t bytes = products_.workspace().bytes() + example_features_.bytes() +
                        asked_features_.bytes() + batches_.bytes() + best_.bytes() + peaks_.bytes();
  each_buffer(needs(), buffers_,
              [&]<class T>(const DeviceBuffer<T>& buffer, std::size_t, Stage, Filled, Place) {
                if (buffer.place() == Place::device) bytes += buffer.bytes();
              });
  return bytes;
}

}  // namespace orrery::cuda
