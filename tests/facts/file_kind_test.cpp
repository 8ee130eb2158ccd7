#include "facts/file_kind.h"

#include <gtest/gtest.h>

#include "facts/open_records.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using namespace std::string_literals;

TEST(FactsFileName, TakesOffKnownEndings) {
  EXPECT_EQ(facts_file_name("d/train.txt").stem, "train");
  EXPECT_EQ(facts_file_name("train").stem, "train");
  EXPECT_EQ(facts_file_name("train.tsv.gz").stem, "train");
  EXPECT_EQ(facts_file_name("train.zst").stem, "train");
  EXPECT_EQ(facts_file_name("train.parquet").stem, "train.parquet");
  for (const auto* ending : {".json", ".jsonl", ".ndjson", ".nq", ".ttl", ".trig", ".db"}) {
    EXPECT_EQ(facts_file_name("train"s + ending).stem, "train");
    EXPECT_EQ(facts_file_name("train"s + ending).ending, ending);
  }
  EXPECT_EQ(facts_file_name("Train.CSV").ending, ".csv");
  EXPECT_EQ(facts_file_name("train.csv.zst").ending, ".csv");
  EXPECT_EQ(facts_file_name("train.csv.txt").ending, ".txt");
}

TEST(FileKind, ByEnding) {
  EXPECT_EQ(file_kind("f.csv", "{,a,b,2014\n"), FileKind::table);
  EXPECT_EQ(file_kind("f.jsonl.gz", "{}"), FileKind::json);
  EXPECT_EQ(file_kind("f.nq", "#"), FileKind::nquads);
  EXPECT_EQ(file_kind("f.nt", "#"), FileKind::nquads);
  EXPECT_EQ(file_kind("f.ttl", "#"), FileKind::turtle);
  EXPECT_EQ(file_kind("f.trig", "#"), FileKind::trig);
}

TEST(FileKind, ByFirstBytesWhereTheEndingSaysNothing) {
  for (const auto* name : {"-", "facts", "facts.txt", "facts.dump"}) {
    EXPECT_EQ(file_kind(name, "a\tr\tb\t2014\n"), FileKind::table);
    EXPECT_EQ(file_kind(name, ""), FileKind::table);
    EXPECT_EQ(file_kind(name, "{\"a\": 1}\n"), FileKind::json);
    EXPECT_EQ(file_kind(name, " [\n {\"a\": 1}]"), FileKind::json);
    EXPECT_EQ(file_kind(name, "[x]\tr\tb\t2014\n"), FileKind::table);
    EXPECT_EQ(file_kind(name, "<http://a> <http://r> <http://b> <http://g> .\n"), FileKind::nquads);
    EXPECT_EQ(file_kind(name, "@prefix a: <http://a> .\n"), FileKind::trig);
  }
  EXPECT_EQ(file_kind("f", "SQLite format 3\0...."s), FileKind::sqlite);
  EXPECT_EQ(file_kind("f.csv", "SQLite format 3\0...."s), FileKind::sqlite);
  EXPECT_EQ(file_kind("latest.json", "[\n{\"type\":\"item\",\"id\":\"Q1\",\"claims\":{"),
            FileKind::wikidata);
}

TEST(FileKind, AsTheUserSays) {
  EXPECT_EQ(file_kind("f.txt", "a", "json"), FileKind::json);
  EXPECT_EQ(file_kind("f.json", "a", "csv"), FileKind::table);
  EXPECT_EQ(file_kind("-", "a", "nquads"), FileKind::nquads);
  for (const auto* word : {"csv", "tsv", "json", "wikidata", "nquads", "turtle", "trig", "sqlite"})
    EXPECT_NO_THROW(file_kind("-", "a", word)) << "the option's words are the reader's: " << word;
  const Error error = caught([] { file_kind("f", "a", "excel"); });
  EXPECT_EQ(error.option(), "format");
  EXPECT_TRUE(contains(error.advice(), "auto, table, csv, tsv, json")) << error.advice();
}

TEST(FileKind, ADatabaseThatIsNoneIsRefused) {
  EXPECT_TRUE(
      contains(testing::refused([] { file_kind("f.db", "a,b\n"); }), "is not a SQLite file"));
}

struct Foreign {
  std::string bytes, what, way_out;
};

TEST(FileKind, ForeignKindsAreNamedWithTheWayOut) {
  const testing::ScratchDirectory scratch;
  const std::string tar = std::string(257, '\0') + "ustar\0"s + std::string(300, '\0');
  for (const Foreign& c :
       {Foreign{"PAR1\x15\x04\x15", "a Parquet file", "duckdb -c \"copy (from '"},
        Foreign{"PK\x03\x04 [Content_Types].xml xl/workbook.xml", "an Excel workbook (xlsx)",
                "save the sheet as CSV"},
        Foreign{"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
                "an OpenDocument spreadsheet", "save the sheet as CSV"},
        Foreign{"PK\x03\x04 train.txt", "a zip archive", "unzip "},
        Foreign{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old Excel workbook (xls)", "as CSV"},
        Foreign{"%PDF-1.7\n", "a PDF document", "the table it was made from"},
        Foreign{"ARROW1\0\0"s, "an Arrow (Feather) file", "CSV"},
        Foreign{"FEA1\0\0"s, "an Arrow (Feather) file", "CSV"},
        Foreign{"Obj\x01\x04", "an Avro file", "avro-tools tojson"},
        Foreign{"\x80\x04\x95\x10", "a Python pickle", "CSV or JSON lines"},
        Foreign{"\x93NUMPY\x01", "a NumPy array", "CSV"},
        Foreign{"\x89HDF\r\n", "an HDF5 file", "CSV"},
        Foreign{"12345678DUCK\0\0"s, "a DuckDB database", "duckdb "},
        Foreign{"<!DOCTYPE html>\n<html>", "a web page (HTML)", "download the file itself"},
        Foreign{"<?xml version=\"1.0\"?>\n<rdf:RDF xmlns", "RDF/XML", "rapper -o nquads"},
        Foreign{"<?xml version=\"1.0\"?>\n<facts>", "XML", "as CSV"},
        Foreign{"BZh91AY&SY....", "compressed with bzip2", "bzip2 -dk"},
        Foreign{"\xFD"
                "7zXZ\0\0"s,
                "compressed with xz", "xz -dk"},
        Foreign{"7z\xBC\xAF\x27\x1C", "a 7z archive", "7z x"},
        Foreign{tar, "a tar archive", "tar -xf"}}) {
    // Whatever its name says, and compressed as well.
    for (const auto& path : {scratch.write("facts.csv", c.bytes), scratch.write("facts", c.bytes),
                             scratch.write("facts.gz", testing::gzipped(c.bytes))}) {
      const Error error = caught([&] { open_records(path); });
      EXPECT_EQ(error.kind(), Error::Kind::request);
      EXPECT_EQ(error.place(), Place{path.string()});
      EXPECT_EQ(error.message(), "is " + c.what +
                                     (c.what.ends_with("spreadsheet") ? " (ods)" : "") +
                                     ", which is not read");
      EXPECT_TRUE(contains(error.advice(), c.way_out)) << error.what();
    }
  }
}

TEST(FileKind, NamesThatLookLikeForeignBytesAreNames) {
  for (const auto* text : {"PAR1\tr\tb\t2014\n", "FEA1\tr\tb\t2014\n", "BZh9\tr\tb\t2014\n",
                           "<me>\tr\tb\t2014\n", "7z\tr\tb\t2014\n"}) {
    EXPECT_EQ(file_kind("f.txt", text), FileKind::table) << text;
  }
}

TEST(FactsSource, AQueryFollowsAQuestionMark) {
  const testing::ScratchDirectory scratch;
  const auto query = facts_source("d/facts.db?select a, b from c where d = '?'");
  EXPECT_EQ(query.file, "d/facts.db");
  EXPECT_EQ(query.query, "select a, b from c where d = '?'");
  // A file may be called so.
  const auto odd = scratch.write("what?.csv", "a,r,b,2014\n");
  EXPECT_EQ(facts_source(odd).file, odd);
  EXPECT_TRUE(source_exists(odd));
  EXPECT_TRUE(source_exists("-"));
  EXPECT_FALSE(source_exists(scratch.path() / "none.db?select 1"));
  const auto table = scratch.write("f.csv", "a,r,b,2014\n");
  EXPECT_TRUE(contains(testing::refused([&] { open_records(table.string() + "?select 1"); }),
                       "only those take a query"));
}

}  // namespace
}  // namespace orrery
