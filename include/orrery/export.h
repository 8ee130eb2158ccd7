// A model's embeddings as files for other programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "orrery/model.h"

namespace orrery {

struct ExportOptions {
  // npy: TABLE.npy (float32, row by row) and TABLE.names.txt, a name a line.
  // csv: TABLE.csv, a column of names and one for each number, which read back as the same floats.
  // projector: TABLE.vectors.tsv, TABLE.metadata.tsv and projector_config.pbtxt, which TensorFlow's
  // embedding projector reads.
  std::string format = "npy";
  std::vector<std::string> tables = {};  // by name; empty: every one
};

struct ExportedTable {
  EmbeddingInfo table;
  std::vector<std::filesystem::path> files;
};

// Makes the directory where it is not there. Each file appears whole or not at all. A file of that
// name with other content is never overwritten, and a name that holds the end of a line (in a
// projector's files also a TAB) is refused where only CSV can keep it: request Errors, before
// anything is written. Rows without names are named by their number, from 0.
std::vector<ExportedTable> export_embeddings(const Model& model,
                                             const std::filesystem::path& directory,
                                             const ExportOptions& options = {});

}  // namespace orrery
