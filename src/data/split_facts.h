// One file of facts, cut into the splits of a data set, as files of their own.
#pragma once

#include <filesystem>
#include <vector>

#include "data/temporal_graph.h"

namespace orrery {

// Writes train, valid and test by the rules of write_new_files: as .txt, columns parted by TABs, or
// as .csv where a name holds a TAB or the end of a line. Loading the directory gives the same facts
// in the same splits; dates are as the data set names its times.
std::vector<std::filesystem::path> write_splits(const TemporalGraph& data,
                                                const std::filesystem::path& directory);

}  // namespace orrery
