// Bytes as files of a name hold them: what open_bytes reads back.
#pragma once

#include <filesystem>
#include <string>

namespace orrery {

// Compressed by gzip for a name in .gz, by Zstandard for one in .zst, else as it is. The same text
// gives the same bytes.
std::string packed_for(const std::filesystem::path& file, std::string text);
// The name without .gz or .zst.
std::filesystem::path unpacked_name(const std::filesystem::path& file);

}  // namespace orrery
