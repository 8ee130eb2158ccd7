// Readers of the formats that are no text tables. Where a build lacks a format's library, its
// reader refuses every file and says so (src/facts/absent).
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "facts/byte_source.h"
#include "facts/record_reader.h"

namespace orrery {

// What this build can read; the tests of a format that is absent are skipped.
bool reads_json();  // and Wikidata's JSON
bool reads_rdf();
bool reads_sqlite();

// JSON lines, an array of objects, objects one after the other, or one object that holds an array
// of objects at its top or one level down ({"edges": […]}). Titles are the scalar leaves of the
// first 1,000 objects as paths "a.b". In all messages `name` is the file.
std::unique_ptr<RecordReader> read_json(std::unique_ptr<ByteSource> bytes, std::string name);

enum class RdfSyntax { n_triples, n_quads, turtle, trig };

// Titles: subject, relation, object, and time, or start and end. Reads the whole file first: a
// statement's time may follow it.
std::unique_ptr<RecordReader> read_rdf(std::unique_ptr<ByteSource> bytes, std::string name,
                                       RdfSyntax syntax);

// Wikidata's entities as JSON, in an array or one a line. Titles: subject, relation, object, start,
// end, subject_label.
std::unique_ptr<RecordReader> read_wikidata(std::unique_ptr<ByteSource> bytes, std::string name);

// The rows of a query; of an empty query those of the one table that can hold facts.
std::unique_ptr<RecordReader> read_sqlite(const std::filesystem::path& file,
                                          const std::string& query);

}  // namespace orrery
