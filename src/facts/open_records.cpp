#include "facts/open_records.h"

#include <fstream>
#include <utility>

#include "base/error.h"
#include "facts/formats.h"
#include "facts/line_ends.h"
#include "facts/neo4j_table.h"
#include "facts/table_form.h"

namespace orrery {
namespace {

constexpr std::size_t looked_at = std::size_t{64} << 10;

std::string ending_of(const std::filesystem::path& path, const std::string& format) {
  return format == "csv" || format == "tsv" ? "." + format : facts_file_name(path).ending;
}

// A database is read where it lies, not as a stream.
std::unique_ptr<RecordReader> open_database(const FactsSource& source, const std::string& name) {
  std::string first(sqlite_mark.size(), '\0');
  std::ifstream(source.file, std::ios::binary)
      .read(first.data(), static_cast<std::streamsize>(first.size()));
  if (source.file == "-" || !is_sqlite(first))
    fail_request(About{.place = {name}, .advice = "unpack it into a file first"},
                 "a SQLite file is read neither compressed nor from standard input");
  return read_sqlite(source.file, source.query);
}

// Of the kinds that are streams and no tables.
std::unique_ptr<RecordReader> open_stream(FileKind kind, std::unique_ptr<ByteSource> bytes,
                                          const std::string& name) {
  switch (kind) {
    case FileKind::json:
      return read_json(std::move(bytes), name);
    case FileKind::wikidata:
      return read_wikidata(std::move(bytes), name);
    case FileKind::nquads:
      return read_rdf(std::move(bytes), name, RdfSyntax::n_quads);
    case FileKind::turtle:
      return read_rdf(std::move(bytes), name, RdfSyntax::turtle);
    case FileKind::trig:
      return read_rdf(std::move(bytes), name, RdfSyntax::trig);
    case FileKind::sqlite:
    case FileKind::table:
    case FileKind::memory:
      break;
  }
  fail_request(About{.option = "format", .place = {name}}, "is not a SQLite file");
}

}  // namespace

OpenedRecords open_records(const std::filesystem::path& path, const ReadOptions& options) {
  const FactsSource source = facts_source(path);
  OpenedRecords opened;
  opened.name = name_of_source(source.file);
  auto raw = std::make_unique<HeadBytes>(open_bytes(source.file));
  if (is_sqlite(raw->head(looked_at))) {
    opened.kind = FileKind::sqlite;
    opened.reader = open_database(source, opened.name);
    return opened;
  }
  if (!source.query.empty())
    fail_request(About{.place = {opened.name}},
                 "is not a SQLite file, and only those take a query");
  refuse_foreign(source.file, raw->head(looked_at));

  Utf8Text text = as_utf8(std::move(raw), opened.name);
  opened.encoding = text.encoding;
  text.bytes = with_line_feeds(std::move(text.bytes));
  const std::string_view head = text.bytes->head(looked_at);
  opened.kind = file_kind(source.file, head, options.format);
  if (opened.kind != FileKind::table) {
    opened.reader = open_stream(opened.kind, std::move(text.bytes), opened.name);
    return opened;
  }
  opened.form = table_form(head, head.size() < looked_at, ending_of(source.file, options.format),
                           options.columns);
  const bool graph =
      !options.columns.has_numbers() && is_neo4j_header(first_row(head, opened.form));
  opened.reader = read_table(LineReader(std::move(text.bytes), opened.name), opened.form);
  if (graph) opened.reader = read_neo4j_table(std::move(opened.reader));
  return opened;
}

}  // namespace orrery
