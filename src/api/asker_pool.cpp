#include "api/asker_pool.h"

#include "learn/setup.h"

namespace orrery {

AskerPool::Loan AskerPool::borrow() const {
  const std::lock_guard lock(mutex_);
  if (!engine_)
    engine_ = model_->start_engine({.device = machine_.device,
                                    .threads = static_cast<int>(machine_.threads),
                                    // Ranks and answers should not depend on the device.
                                    .precision = Precision::fp32,
                                    .memory = memory_budget(machine_.memory)});
  if (idle_.empty()) {
    auto asker = engine_->asker(wide_ == nullptr ? static_cast<int>(machine_.threads) : 1);
    if (wide_ == nullptr) wide_ = asker.get();
    return {*this, std::move(asker)};
  }
  auto asker = std::move(idle_.back());
  idle_.pop_back();
  return {*this, std::move(asker)};
}

void AskerPool::give_back(std::unique_ptr<Asker> asker) const {
  const std::lock_guard lock(mutex_);
  const bool wide = asker.get() == wide_;
  idle_.insert(wide ? idle_.end() : idle_.begin(), std::move(asker));
}

}  // namespace orrery
