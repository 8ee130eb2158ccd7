// The readers of formats that are no text tables. Each says in titles() which columns it has.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "facts/byte_source.h"
#include "facts/record_reader.h"

namespace orrery {

// JSON lines, or one array of objects. Titles are the paths of scalars, as in "source.name".
std::unique_ptr<RecordReader> read_json(std::unique_ptr<ByteSource> bytes, std::string name);

enum class RdfSyntax { nquads, turtle, trig };
std::unique_ptr<RecordReader> read_rdf(std::unique_ptr<ByteSource> bytes, std::string name,
                                       RdfSyntax syntax);

// A JSON dump of Wikidata: claims with their qualifiers of time.
std::unique_ptr<RecordReader> read_wikidata(std::unique_ptr<ByteSource> bytes, std::string name);

// The rows of a query; an empty query is for the only table of the file.
std::unique_ptr<RecordReader> read_sqlite(const std::filesystem::path& path, std::string query);

}  // namespace orrery
