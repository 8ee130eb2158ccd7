// The file of a served model: which one it is, and whether it is still the same.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery {

// What changes when a file is written anew or another is put in its place.
struct FileIdentity {
  std::uint64_t device = 0, number = 0, size = 0;  // zeros: there is none
  std::int64_t changed = 0;                        // in nanoseconds

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
FileIdentity file_identity(const std::filesystem::path& file);

// Of a run directory or a model file: the file.
std::filesystem::path model_file_of(const std::filesystem::path& run);

// What a run is served as: the name of its directory, or of a file that is not model.safetensors.
std::string served_name(const std::filesystem::path& run);

}  // namespace orrery
