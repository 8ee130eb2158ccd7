#include "api/asker_pool.h"

#include "learn/setup.h"

namespace orrery {

AskerPool::Loan AskerPool::borrow() {
  const std::lock_guard lock(mutex_);
  if (!engine_)
    engine_ = model_->start_engine({.device = machine_.device,
                                    .threads = static_cast<int>(machine_.threads),
                                    // Ranks and answers should not depend on the device.
                                    .precision = Precision::fp32,
                                    .memory = memory_budget(machine_.memory)});
  if (idle_.empty()) {
    auto asker = engine_->asker(first_made_ ? 1 : static_cast<int>(machine_.threads));
    first_made_ = true;
    return {*this, std::move(asker)};
  }
  auto asker = std::move(idle_.back());
  idle_.pop_back();
  return {*this, std::move(asker)};
}

void AskerPool::give_back(std::unique_ptr<Asker> asker) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(asker));
}

}  // namespace orrery
