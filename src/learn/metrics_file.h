// metrics.jsonl: a line for every epoch of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "orrery/train.h"

namespace orrery {

std::string metrics_line(const EpochReport& report);

// All of the text or, where that fails, nothing of it.
void append_to_metrics(const std::filesystem::path& file, const std::string& lines);
// To the disk: a state that is saved next must not know of epochs that a crash could take from it.
void sync_metrics(const std::filesystem::path& file);

// Each epoch once, in order, its last line where there are several. Lines that a crash cut short,
// and all that are not of an epoch, are passed over.
std::vector<EpochReport> read_metrics(const std::filesystem::path& file);

// Drops the epochs from this one on, which will be done again. The number of lines that it left out
// for being damaged.
std::int64_t keep_metrics_before(const std::filesystem::path& file, std::int64_t epoch);

}  // namespace orrery
