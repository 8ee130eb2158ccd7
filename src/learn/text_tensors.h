// A list of texts as two tensors: NAME holds their bytes one after another, NAME_ends where each
// ends. Any number of names fits, where a header of at most 100 MB holds some millions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/safetensors.h"

namespace orrery {

std::string ends_name(const std::string& name);

// The two, without data. What is not UTF-8 is a request Error; `path` is for its message.
struct TextTensors {
  TensorSpec bytes, ends;
};
TextTensors text_tensors(const std::string& name, std::span<const std::string> texts,
                         const std::filesystem::path& path);
std::vector<std::int64_t> ends_of(std::span<const std::string> texts);
std::string joined(std::span<const std::string> texts);

// Ends that do not ascend or do not fit the bytes, and bytes that are not UTF-8, are a request
// Error.
std::vector<std::string> read_texts(const SafetensorsFile& file, const std::string& name);

}  // namespace orrery
