// What a Model shares between its copies.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "api/asker_pool.h"
#include "api/dataset_state.h"
#include "api/mixture.h"
#include "data/fact_index.h"
#include "learn/stored_model.h"
#include "orrery/model.h"

namespace orrery {

// Facts in a model's ids, which its answers are compared with.
struct KnownFacts {
  Dataset data;
  FactIndex index;

  explicit KnownFacts(Dataset facts) : data(std::move(facts)), index(data.state().graph) {}
};

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
  // The same model, with facts.
  ModelState(const ModelState& other, std::shared_ptr<const KnownFacts> known) : ModelState(other) {
    facts = std::move(known);
  }

  // That its answers are compared with; none: they are not.
  std::shared_ptr<const KnownFacts> facts;

  AskerPool::Loan borrow_asker() const { return askers_->borrow(); }
  // Whose askers those are: the model, or the parts of the mixture.
  std::vector<AskedModel> asked() const {
    return mixture ? mixture->models : std::vector{AskedModel{.model = stored}};
  }

 private:
  std::shared_ptr<const AskerPool> askers_;  // shared with a copy that has facts
};

Model model_of(ModelHeader header, TableRows rows, MachineOptions machine, TrainRecord record);

}  // namespace orrery
