// Askers of one model, lent to requests: what a request writes is its own.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/engine.h"
#include "learn/stored_model.h"
#include "orrery/model.h"

namespace orrery {

struct AskedModel {
  std::shared_ptr<const StoredModel> model;
  double weight = 1;
  bool history = true;  // false: without what history adds to its scores
};

// On one device, whose memory budget they share evenly.
std::vector<std::unique_ptr<Engine>> start_engines(const std::vector<AskedModel>& models,
                                                   const MachineOptions& machine);

class AskerPool {
 public:
  // Several models are asked as their mixture.
  AskerPool(std::vector<AskedModel> models, MachineOptions machine)
      : models_(std::move(models)), machine_(std::move(machine)) {}

  // Given back at its end.
  class Loan {
   public:
    Loan(const AskerPool& pool, std::unique_ptr<Asker> asker)
        : pool_(pool), asker_(std::move(asker)) {}
    ~Loan() { pool_.give_back(std::move(asker_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Asker& operator*() const { return *asker_; }

   private:
    const AskerPool& pool_;
    std::unique_ptr<Asker> asker_;
  };
  // One that has all the threads that the machine allows, where it is at hand; those that are
  // wanted beside it have one thread each. Engines are started by the first loan.
  Loan borrow() const;

 private:
  std::unique_ptr<Asker> make_asker(int threads) const;
  void give_back(std::unique_ptr<Asker> asker) const;

  std::vector<AskedModel> models_;
  MachineOptions machine_;
  // Made on demand, under the lock.
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Engine>> engines_;  // of the models; empty: not started
  mutable const Asker* wide_ = nullptr;               // the one with all threads, once it is made
  mutable std::vector<std::unique_ptr<Asker>> idle_;  // the wide one is the last, if it is here
};

}  // namespace orrery
