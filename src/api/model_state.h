// What a Model shares between its copies.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "api/asker_pool.h"
#include "api/mixture.h"
#include "learn/stored_model.h"
#include "orrery/model.h"

namespace orrery {

struct ModelState {
  std::shared_ptr<const StoredModel> stored;  // of a mixture: the part that stands for all
  std::shared_ptr<const Mixture> mixture;     // empty: it is none
  MachineOptions machine;
  std::filesystem::path path;  // that it was opened from; empty: it was just trained
  TrainRecord training;
  ModelCard card;
  std::vector<std::string> time_names, relation_row_names, window_names;
  // Numbers of before the file's checksums existed, or were not asked about.
  bool verified() const;

  ModelState(std::shared_ptr<const StoredModel> model, MachineOptions where,
             std::filesystem::path from, TrainRecord record,
             std::shared_ptr<const Mixture> mixed = {});

  AskerPool::Loan borrow_asker() const { return askers_.borrow(); }

 private:
  mutable AskerPool askers_;
};

Model model_of(ModelHeader header, TableRows rows, MachineOptions machine, TrainRecord record);

}  // namespace orrery
