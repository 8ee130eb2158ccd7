#include "http/served_model.h"

#include <algorithm>
#include <utility>

namespace orrery {

ModelVersion::ModelVersion(const Model& opened, std::optional<Dataset> known,
                           const ServeLimits& limits, Metrics& metrics)
    : facts(std::move(known)),
      model(facts ? opened.with_facts(*facts) : opened),
      entities(model.entity_names()),
      relations(model.relation_names()),
      times(model.time_names()),
      batcher(model, {.waiting = limits.waiting, .turn = limits.answering},
              [&metrics](std::size_t questions) { metrics.count_batch(questions); }) {}

ServedModel::ServedModel(std::string name, std::unique_ptr<ModelVersion> first)
    : name_(std::move(name)) {
  held_.push_back({std::move(first)});
}

ServedModel::Lease ServedModel::lend() {
  const std::lock_guard lock(mutex_);
  Held& present = held_.back();
  ++present.lent;
  return {*this, present.version.get()};
}

void ServedModel::put(std::unique_ptr<ModelVersion> next) {
  std::list<Held> gone;  // unmapped after the lock is left
  const std::lock_guard lock(mutex_);
  if (held_.back().lent == 0) gone.splice(gone.begin(), held_, std::prev(held_.end()));
  held_.push_back({std::move(next)});
  ++changes_;
}

void ServedModel::give_back(const ModelVersion* version) {
  std::list<Held> gone;
  const std::lock_guard lock(mutex_);
  const auto held =
      std::ranges::find_if(held_, [&](const Held& one) { return one.version.get() == version; });
  if (--held->lent == 0 && held != std::prev(held_.end())) gone.splice(gone.begin(), held_, held);
}

std::uint64_t ServedModel::changes() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

}  // namespace orrery
