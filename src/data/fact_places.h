// Where facts and names stand in their files. Facts in memory do not know it: a second reading
// looks for a few of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/temporal_graph.h"
#include "facts/date_form.h"
#include "facts/open_records.h"

namespace orrery {

// What the second reading needs of the first.
struct FilesRead {
  std::vector<std::string> files;  // empty: there is nothing to be read again
  ReadOptions reading;
  DateReading dates;
};

struct WantedPlace {
  enum class What { fact, relation, entity } what = What::fact;
  Fact fact = {};
  std::int32_t name = 0;                // of a relation or an entity
  std::size_t most = 1;                 // places that are wanted
  std::vector<std::string> found = {};  // "facts.csv:12"
};

// The first places of each. What is not found, or cannot be read again, has none.
void find_places(const TemporalGraph& data, const FilesRead& files, std::span<WantedPlace> wanted);

}  // namespace orrery
