// Askers of one model, lent to requests: what a request writes is its own.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/engine.h"
#include "learn/stored_model.h"
#include "orrery/model.h"

namespace orrery {

class AskerPool {
 public:
  AskerPool(std::shared_ptr<const StoredModel> model, MachineOptions machine)
      : model_(std::move(model)), machine_(std::move(machine)) {}

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
  // wanted beside it have one thread each. The engine is started by the first loan.
  Loan borrow() const;

 private:
  void give_back(std::unique_ptr<Asker> asker) const;

  std::shared_ptr<const StoredModel> model_;
  MachineOptions machine_;
  // Made on demand, under the lock.
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Engine> engine_;
  mutable const Asker* wide_ = nullptr;               // the one with all threads, once it is made
  mutable std::vector<std::unique_ptr<Asker>> idle_;  // the wide one is the last, if it is here
};

}  // namespace orrery
