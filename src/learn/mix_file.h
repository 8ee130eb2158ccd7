// A mixture on disk: a directory with the files of its parts and mix.json, which names them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learn/stored_model.h"
#include "orrery/calibration.h"
#include "orrery/model.h"

namespace orrery {

struct MixRecord {
  MixCard card;
  std::optional<Calibration> calibration;  // of the mixture's own probabilities
  std::optional<WhenFit> when;             // how it tells when, likewise
  std::string data;  // where the facts are that it was made on; empty: in memory
};

// True for a directory with a mix.json, whatever that holds.
bool holds_mix(const std::filesystem::path& path);
// What is not as written is a request Error.
MixRecord read_mix(const std::filesystem::path& directory);
// The files of parts that weigh something.
std::vector<std::filesystem::path> parts_of_mix(const std::filesystem::path& directory);
// With `verify`, a file must be the very one that was mixed.
std::unique_ptr<const StoredModel> read_part(const std::filesystem::path& directory,
                                             const MixedPart& part, bool verify,
                                             FileUse use = FileUse::mapped);

// Parts have names made of their content and are written first, so a mixture that is replaced is
// whole until mix.json is: then what it alone had is removed. A directory that holds anything else
// is a request Error. `models` are those of parts that weigh something.
void write_mix(const std::filesystem::path& directory, MixRecord record,
               std::span<const StoredModel* const> models);

}  // namespace orrery
