// Facts as text in our own plain form: what we write, we read back as the same facts.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "data/temporal_graph.h"

namespace orrery {

enum class PlainForm { tsv, csv };

// TSV knows no quotes: a name with a TAB or the end of a line needs CSV.
bool fits_tsv(const TemporalGraph& data);

// One fact a line, in the order of the list, dates as the data set names its times. With `header`
// the first line has the titles subject, relation, object and time, or start and end.
std::string facts_text(const TemporalGraph& data, std::span<const Split> splits, PlainForm form,
                       bool header);

// All facts with a header, as TSV where that can hold the names. Facts of several splits are a
// request Error, since one list cannot tell them apart.
std::string facts_text(const TemporalGraph& data);

// All facts in one file, with a header: .csv, .tsv, .txt or no ending, and compressed where .gz or
// .zst follows. By the rules of write_new_files; of several splits a request Error, as above.
std::filesystem::path write_facts(const TemporalGraph& data, const std::filesystem::path& file);

// train, valid and test with headers, as .tsv or, where names need it, .csv; splits without facts
// are left out.
std::vector<std::filesystem::path> write_titled_splits(const TemporalGraph& data,
                                                       const std::filesystem::path& directory);

}  // namespace orrery
