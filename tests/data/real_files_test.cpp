#include "data/real_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "data/fingerprint.h"
#include "data/plain_form.h"
#include "facts/formats.h"
#include "facts/scratch.h"
#ifdef ORRERY_HAS_SQLITE
#include <sqlite3.h>
#endif

namespace orrery::testing {

namespace fs = std::filesystem;

std::vector<LoadedFile> loaded_files() {
  const std::string after =
      "subject=after.employee,relation=after.relation,object=after.team,time=ts_ms";
  return {
      // Memories of agents.
      {"graphiti-edges.json", "day"},
      {"graphiti-nodes-and-edges.json", "day"},
      {"graphiti.csv", "day", {.as_of = "2024-01-31"}},
      {"zep-search.json", "day"},
      {"agent-memory.jsonl", "day"},
      {"mem0.json", "second"},
      // Graph databases.
      {"neo4j-apoc.csv", "day"},
      {"neo4j-cypher-shell.csv", "day"},
      // Wikidata and RDF.
      {"wikidata-dump.json", "year"},
      {"wikidata-statements.nq", "day"},
      {"wikidata-statements.ttl", "year"},
      {"dated-graphs.trig", "day"},
      {"graphs-with-validity.trig", "day"},
      {"reified.ttl", "day"},
      // Event data.
      {"icews-events.tsv", "day"},
      {"gdelt-bigquery.csv", "day"},
      {"sensor-hours.csv", "hour"},
      {"logins-unix-seconds.log", "second"},
      {"sensors-unix-milliseconds.jsonl", "second"},
      {"cdc-log-with-delete.jsonl", "hour", {.columns = after, .skip_bad = true}, 1},
      {.file = "journal.sql",
       .granularity = "day",
       .query = "select a.name as subject, verb as relation, b.name as object, day as date "
                "from entry join person a on a.id = who join person b on b.id = whom "
                "order by entry.id"},
      // Spreadsheets and tables of offices.
      {"crm-export.csv", "day"},
      {"tabelle-deutsch.csv", "day"},
      {"excel-sep-line.csv", "day"},
      {"sheet-us.csv", "day"},
      {"hr-table.csv", "day"},
      {"warehouse-no-end.csv", "day"},
      {"quotes-and-newlines.csv", "day"},
      {"swapped-columns.csv", "day"},
      {"pipes.txt", "year"},
      {"old-mac.csv", "day"},
      {"until-today.csv", "day"},
      // Other times.
      {"genealogy.tsv", "year"},
      {"genealogy-words.csv", "year"},
      {"quarters.csv", "quarter"},
      {"decades.csv", "decade"},
  };
}

std::string missing_library(const std::string& file) {
  const auto ends = [&file](std::string_view ending) { return file.ends_with(ending); };
  if ((ends(".json") || ends(".jsonl")) && !reads_json()) return "simdjson";
  if ((ends(".nq") || ends(".ttl") || ends(".trig")) && !reads_rdf()) return "serd";
  return ends(".sql") && !reads_sqlite() ? "SQLite" : "";
}

namespace {

using RealTexts = std::vector<std::string>;

RealTexts lines_of(const fs::path& path) {
  std::ifstream input(path, std::ios::binary);
  EXPECT_TRUE(input) << path;
  RealTexts lines;
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

std::string with_bars(std::string text) {
  std::replace(text.begin(), text.end(), '\t', '|');
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    text.replace(at, 1, "\\n");
  }
  return text;
}

RealTexts facts_in(const TemporalGraph& data) {
  RealTexts facts;
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split))
      facts.push_back(
          with_bars(fmt::format("{}|{}|{}|{}", data.entities.name(fact.subject),
                                data.relations.name(fact.relation), data.entities.name(fact.object),
                                data.times.moment_names.at(static_cast<std::size_t>(fact.when)))));
  }
  return facts;
}

#ifdef ORRERY_HAS_SQLITE
void write_database(const fs::path& file, const fs::path& script) {
  std::ostringstream text;
  text << std::ifstream(script).rdbuf();
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &opened), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(opened, text.str().c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_close(opened), SQLITE_OK);
}
#else
void write_database(const fs::path&, const fs::path&) {}
#endif

}  // namespace

void expect_loaded(const LoadedFile& wanted) {
  const ScratchDirectory scratch;
  fs::path path = real_files() / wanted.file;
  if (!wanted.query.empty()) {
    const fs::path database = scratch.path() / "facts.db";
    write_database(database, path);
    path = database.string() + "?" + wanted.query;
  }
  LoadOptions options = load_options_of(wanted.options);
  options.within = true;
  // A file becomes train alone, in the order of its lines.
  if (!fs::is_directory(path)) options.cut = cut_rule("100/0/0", "random", 1);
  LoadReport report;
  const TemporalGraph data = load_facts(path, options, &report);
  EXPECT_EQ(facts_in(data), lines_of(real_files() / (wanted.file + ".expected")));
  EXPECT_EQ(name_of(data.times.granularity), wanted.granularity);
  EXPECT_EQ(report.bad_lines, wanted.bad_lines);

  // In plain form it needs no options to be read as the same.
  LoadOptions plain = load_options_of({.undated = wanted.options.undated});
  plain.within = true;
  plain.cut = cut_rule("100/0/0", "random", 1);
  const fs::path converted = write_facts(data, scratch.path() / "plain.csv");
  EXPECT_EQ(fingerprint(load_facts(converted, plain)), fingerprint(data));
}

namespace {

class RealFiles : public ::testing::TestWithParam<LoadedFile> {};

TEST_P(RealFiles, LoadToExactlyTheirFacts) {
  if (const std::string library = missing_library(GetParam().file); !library.empty())
    GTEST_SKIP() << "this build has no " << library;
  expect_loaded(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, RealFiles, ::testing::ValuesIn(loaded_files()),
                         name_of_test<LoadedFile>);

TEST(RealFiles, EveryOneHasOneCase) {
  std::map<std::string, int> cases;
  for (const LoadedFile& file : loaded_files()) ++cases[file.file];
  std::map<std::string, bool> loads;
  for (const LoadedFile& file : loaded_files()) loads[file.file] = true;
  for (const RefusedFile& file : refused_files()) {
    ++cases[file.file];
    loads[file.file] = file.way_out.has_value();
  }
  for (const auto& [file, count] : cases) {
    EXPECT_EQ(count, 1) << file;
    EXPECT_TRUE(fs::exists(real_files() / file)) << file;
    EXPECT_EQ(fs::exists(real_files() / (file + ".expected")), loads[file]) << file;
  }
  for (const auto& entry : fs::directory_iterator(real_files())) {
    fs::path name = entry.path().filename();
    if (name.extension() == ".expected") name = name.stem();
    EXPECT_TRUE(cases.contains(name.string())) << name;
  }
  EXPECT_GE(cases.size(), 30U);
}

}  // namespace
}  // namespace orrery::testing
