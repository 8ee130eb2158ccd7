// What a Model that is a mixture shares between its copies.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "api/asker_pool.h"
#include "learn/mix_file.h"
#include "orrery/model.h"

namespace orrery {

struct Mixture {
  MixRecord record;
  std::vector<AskedModel> models;  // that weigh something
};

// Stands for all of them: names, times and how data is read are the same. One whose answers depend
// on time, if any does.
const std::shared_ptr<const StoredModel>& representative_of(const Mixture& mixture);
// Makes the card of that one the mixture's.
void describe(const Mixture& mixture, ModelCard& card);

Model open_mixture(const std::filesystem::path& directory, const MachineOptions& machine,
                   bool verify, FileUse use);
void save_mixture(const Mixture& mixture, const std::filesystem::path& directory);

}  // namespace orrery
