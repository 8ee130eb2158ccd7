// A safetensors file that knows when it is damaged: its last tensor, `checksums`, holds the CRC-32C
// of every other tensor, of the header and of itself. Other programs see one more tensor.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/safetensors.h"
#include "orrery/checkpoint.h"

namespace orrery {

// As write_safetensors; `checksums` is added.
void write_checkpoint(const std::filesystem::path& path, std::vector<TensorSpec> tensors,
                      const Metadata& metadata, const TensorBytes& bytes);

bool has_checksums(const SafetensorsFile& file);

// How much of a file is compared with its checksums. The header's, which covers the metadata, is
// compared in no time; tensors may be gigabytes.
enum class Verify { header, everything };

// Every part in the order of the file; all unchecked where the file has no checksums.
std::vector<PartCheck> check_parts(const SafetensorsFile& file, Verify verify = Verify::everything);

// A path that cannot be opened is a request Error.
FileCheck check_file(const std::filesystem::path& path);

// A request Error that says what is damaged, and what to do.
[[noreturn]] void fail_damaged(const SafetensorsFile& file, std::string_view what);

// What a file is, in its metadata "format": "orrery-model 2".
struct CheckpointFormat {
  std::string_view kind;
  int latest = 1;  // versions from 1 on are read; those from 2 on have checksums

  std::string name() const;
};
// The version of the file. One that is damaged, of another kind or of a later version is a request
// Error.
int require_checkpoint(const SafetensorsFile& file, const CheckpointFormat& format, Verify verify);

}  // namespace orrery
