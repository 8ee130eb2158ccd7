// What an export writes: each file as a function that gives its bytes piece by piece, since a table
// may be larger than what is left of memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/model.h"

namespace orrery {

using PieceSink = std::function<void(std::string_view piece)>;

struct ExportFile {
  std::string name;
  std::function<void(const PieceSink&)> give;
};

// The files of one table, which must outlive them. An unknown format, and a name that the format
// cannot keep, are request Errors.
std::vector<ExportFile> export_files(const Embeddings& table, std::string_view format);
// What a format says of all tables together; mostly nothing.
std::vector<ExportFile> export_index(std::span<const Embeddings> tables, std::string_view format);

}  // namespace orrery
