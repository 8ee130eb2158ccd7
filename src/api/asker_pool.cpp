#include "api/asker_pool.h"

#include "engine/mixed_asker.h"
#include "learn/setup.h"

namespace orrery {
namespace {

void leave_history_out(const StoredModel& model, Engine& engine) {
  if (model.plan().feature_count == 0) return;
  const std::size_t table = model.tables().size() - 1;
  engine.write(table, State::value, std::vector<float>(model.rows(table).size()));
}

std::unique_ptr<Asker> asker_of(const AskedModel& one, const Engine& engine, int threads) {
  return one.history ? one.model->asker(engine, threads) : engine.asker(threads);
}

}  // namespace

std::vector<std::unique_ptr<Engine>> start_engines(const std::vector<AskedModel>& models,
                                                   const MachineOptions& machine) {
  std::vector<std::unique_ptr<Engine>> engines;
  for (const AskedModel& one : models) {
    engines.push_back(
        one.model->start_engine({.device = machine.device,
                                 .threads = static_cast<int>(machine.threads),
                                 // Ranks and answers should not depend on the device.
                                 .precision = Precision::fp32,
                                 .memory = memory_budget(machine.memory) / models.size()}));
    if (!one.history) leave_history_out(*one.model, *engines.back());
  }
  return engines;
}

// One model that weighs 1 needs no mixing.
std::unique_ptr<Asker> AskerPool::make_asker(int threads) const {
  if (models_.size() == 1 && models_.front().weight == 1)
    return asker_of(models_.front(), *engines_.front(), threads);
  std::vector<WeighedScorer> parts;
  for (std::size_t i = 0; i < models_.size(); ++i)
    parts.push_back({asker_of(models_[i], *engines_[i], threads), models_[i].weight});
  return std::make_unique<MixedAsker>(std::move(parts),
                                      models_.front().model->header().entities.size());
}

AskerPool::Loan AskerPool::borrow() const {
  const std::lock_guard lock(mutex_);
  if (engines_.empty()) engines_ = start_engines(models_, machine_);
  if (idle_.empty()) {
    auto asker = make_asker(wide_ == nullptr ? static_cast<int>(machine_.threads) : 1);
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
