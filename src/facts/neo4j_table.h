// Neo4j's export of a whole graph as one table (apoc.export.csv): rows of nodes, with _id, _labels
// and their properties, then rows of relationships, with _start, _end, _type and theirs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "facts/record_reader.h"

namespace orrery {

bool is_neo4j_header(const std::vector<std::string>& titles);

// The relationships of such a table. Titles: source_node_name and target_node_name, which are the
// names of the nodes, then _start and all that follows it.
std::unique_ptr<RecordReader> read_neo4j_table(std::unique_ptr<RecordReader> table);

}  // namespace orrery
