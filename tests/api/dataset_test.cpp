#include "orrery/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "api/small_runs.h"
#include "base/caught.h"
#include "orrery/benchmarks.h"
#include "orrery/demo.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

FactColumns three_facts() {
  return {.subject = {"Ada", "Ada", "Bo"},
          .relation = {"visits", "calls", "visits"},
          .object = {"Bo", "Cy", "Cy"},
          .time = {"2014-01-02", "2014-01-01", "2014-01-02"}};
}

class DatasetTest : public testing::SmallRuns {};

TEST_F(DatasetTest, ColumnsInMemoryAreADataSet) {
  const Dataset data = Dataset::from_columns(three_facts());
  EXPECT_EQ(data.entities(), 3);
  EXPECT_EQ(data.relations(), 2);
  EXPECT_EQ(data.times(), 2);
  EXPECT_FALSE(data.intervals());
  EXPECT_EQ(data.granularity(), "day");
  EXPECT_TRUE(std::ranges::equal(data.entity_names(), std::vector<std::string>{"Ada", "Bo", "Cy"}));
  EXPECT_EQ(data.find_relation("visits"), 1);
  EXPECT_FALSE(data.find_entity("Di"));
  const auto facts = data.facts(Split::train);
  ASSERT_EQ(facts.size(), 3U);
  EXPECT_EQ(facts[1], (Fact{0, 0, 2, 0}));
  EXPECT_EQ(data.time_names()[static_cast<std::size_t>(data.moment(facts[0]).start)], "2014-01-02");
  EXPECT_EQ(data.date(facts[1]), "2014-01-01");
  EXPECT_TRUE(data.facts(Split::test).empty());
  EXPECT_TRUE(data.source().empty());
}

TEST_F(DatasetTest, IntervalColumnsHaveAnEnd) {
  FactColumns columns = three_facts();
  columns.time = {"1990", "1991", ""};
  columns.end = {"1995", "", "1999"};
  const Dataset data = Dataset::from_columns(columns);
  EXPECT_TRUE(data.intervals());
  EXPECT_EQ(data.date(data.facts(Split::train)[0]), "1990\t1995");
  EXPECT_EQ(data.moment(data.facts(Split::train)[1]).end, Moment::unknown);
}

TEST_F(DatasetTest, FilesAndColumnsOfTheSameFactsAreTheSameData) {
  const Dataset files = Dataset::open(at("data").string());
  FactColumns splits[3];
  for (const Split split : all_splits)
    for (const Fact& fact : files.facts(split)) {
      FactColumns& columns = splits[static_cast<int>(split)];
      columns.subject.push_back(files.entity_names()[static_cast<std::size_t>(fact.subject)]);
      columns.relation.push_back(files.relation_names()[static_cast<std::size_t>(fact.relation)]);
      columns.object.push_back(files.entity_names()[static_cast<std::size_t>(fact.object)]);
      columns.time.push_back(files.date(fact));
    }
  const Dataset memory = Dataset::from_columns(splits[0], splits[1], splits[2]);
  EXPECT_EQ(memory.fingerprint(), files.fingerprint());
  EXPECT_TRUE(std::ranges::equal(memory.facts(Split::valid), files.facts(Split::valid)));
  memory.write(at("written"));
  EXPECT_EQ(Dataset::open(at("written").string()).fingerprint(), files.fingerprint());
}

TEST_F(DatasetTest, ATableIsReadAsAFileWouldBe) {
  const std::vector<std::int32_t> who = {0, 0, 1, 1, 0}, when = {0, 1, 1, 2, -1};
  const FactTable table{
      .name = "memory",
      .columns = {{"source", {"Ada", "Bo"}, who, true},
                  {"note", {"x", "", "y", "z", "w"}},
                  {"type", {"visits", "calls", "visits", "calls", "calls"}},
                  {"target", {"Bo", "Cy", "Cy", "Ada", "Cy"}},
                  {"valid_at", {"2014-01-02", "2014-01-01", "2014-01-05"}, when, true}}};
  const std::string missing = refused([&] { Dataset::from_tables(table); });
  EXPECT_TRUE(contains(missing, "memory:5")) << missing;

  const Dataset data = Dataset::from_tables(table, {}, {}, {.split = "60/20/20", .skip_bad = true});
  EXPECT_EQ(data.bad_lines(), 1U);
  std::size_t facts = 0;
  for (const Split split : all_splits) facts += data.facts(split).size();
  EXPECT_EQ(facts, 4U);
  EXPECT_TRUE(std::ranges::equal(data.entity_names(), std::vector<std::string>{"Ada", "Bo", "Cy"}));
  EXPECT_TRUE(data.source().empty());
  EXPECT_EQ(data.check().entities, 3);
  EXPECT_TRUE(std::ranges::any_of(data.understood(), [](const Understood& one) {
    return contains(one.sentence, "subject: source") && contains(one.sentence, "ignored: note");
  }));
}

TEST_F(DatasetTest, FilesAndTablesOfTheSameFactsAreTheSameData) {
  const Dataset files = Dataset::open(at("data").string());
  std::vector<FactTable> tables;
  std::vector<std::vector<std::int32_t>> codes(3);
  for (const Split split : all_splits) {
    FactTable& table = tables.emplace_back();
    table.columns = {{"subject", {}}, {"relation", {}}, {"object", {}}, {"time", {}}};
    auto& relations = table.columns[1];
    relations.coded = true;
    for (const std::string& name : files.relation_names()) relations.texts.push_back(name);
    for (const Fact& fact : files.facts(split)) {
      const auto name = [&](std::int32_t id) {
        return std::string_view(files.entity_names()[static_cast<std::size_t>(id)]);
      };
      table.columns[0].texts.push_back(name(fact.subject));
      codes[static_cast<std::size_t>(split)].push_back(fact.relation);
      table.columns[2].texts.push_back(name(fact.object));
      table.columns[3].texts.push_back(files.date(fact));
    }
    relations.codes = codes[static_cast<std::size_t>(split)];
  }
  const Dataset memory = Dataset::from_tables(tables[0], tables[1], tables[2]);
  EXPECT_EQ(memory.fingerprint(), files.fingerprint());
  EXPECT_TRUE(contains(refused([&] {
                         Dataset::from_tables(tables[0], tables[1], tables[2],
                                              {.split = "80/10/10"});
                       }),
                       "there is valid or test"));
}

TEST_F(DatasetTest, ATableThatContradictsItselfIsRefused) {
  FactTable table{.columns = {{"subject", {"a", "b"}},
                              {"relation", {"r"}},
                              {"object", {"b", "a"}},
                              {"time", {"2014", "2015"}}}};
  const std::string lengths = refused([&] { Dataset::from_tables(table); });
  EXPECT_TRUE(contains(lengths, "has 2 rows") && contains(lengths, "has 1")) << lengths;
  const std::vector<std::int32_t> codes = {0, 1};
  table.columns[1] = {"relation", {"r"}, codes, true};
  EXPECT_TRUE(contains(refused([&] { Dataset::from_tables(table); }), "the table:2"));
  EXPECT_TRUE(contains(refused([&] { Dataset::from_tables({}); }), "no columns"));
}

TEST_F(DatasetTest, BadColumnsAreRefusedWithTheirPlace) {
  FactColumns columns = three_facts();
  columns.object.pop_back();
  EXPECT_TRUE(contains(refused([&] { Dataset::from_columns(columns); }), "differ in length"));
  columns = three_facts();
  columns.time[1] = "someday";
  const Error error = caught([&] { Dataset::from_columns(columns); });
  EXPECT_EQ(error.place(), (Place{"train in memory", 2}));
  EXPECT_TRUE(contains(error.message(), "someday"));
  const Dataset lenient = Dataset::from_columns(columns, {}, {}, {.skip_bad = true});
  EXPECT_EQ(lenient.bad_lines(), 1U);
  EXPECT_EQ(lenient.first_bad_lines()[0].line, 2U);
  EXPECT_EQ(lenient.facts(Split::train).size(), 2U);
  EXPECT_TRUE(contains(refused([] { Dataset::from_columns({}); }), "is empty"));
  columns = three_facts();
  columns.end = {"2014-01-03", "2014-01-03", "2014-01-03"};
  EXPECT_TRUE(contains(refused([&] { Dataset::from_columns(columns, three_facts()); }), "valid"));
}

// The command line splits a single file by the same rule.
TEST_F(DatasetTest, ASplitIsThatOfASingleFile) {
  const auto file = scratch_.write("all.tsv", testing::world_lines(0, 270, false));
  const Dataset whole = Dataset::open(file.string(), {.split = "1/0/0"});
  EXPECT_EQ(whole.facts(Split::train).size(), 270U);
  const Dataset direct = Dataset::open(file.string(), {.split = "80/10/10", .seed = 5});
  // The order of facts decides, and "1/0/0" keeps that of the file.
  EXPECT_EQ(whole.split("80/10/10", "random", 5).fingerprint(), direct.fingerprint());
  EXPECT_NE(whole.split("80/10/10", "random", 6).fingerprint(), direct.fingerprint());
  const Dataset by_time = Dataset::open(file.string(), {.split = "70/15/15", .split_by = "time"});
  std::int32_t latest = 0;
  for (const Fact& fact : by_time.facts(Split::train))
    latest = std::max(latest, by_time.moment(fact).start);
  for (const Fact& fact : by_time.facts(Split::test)) EXPECT_GT(by_time.moment(fact).start, latest);
  EXPECT_GT(by_time.check().splits[2].unseen_time, 0U);
}

TEST_F(DatasetTest, TheDemoWorldInMemoryIsThatOnDisk) {
  write_demo(at("demo"));
  const Dataset demo = Dataset::demo();
  EXPECT_EQ(Dataset::open(at("demo").string()).fingerprint(), demo.fingerprint());
  EXPECT_NE(Dataset::demo(2).fingerprint(), demo.fingerprint());
}

TEST_F(DatasetTest, ABenchmarkByNameIsKeptInItsFolder) {
  ASSERT_EQ(::setenv("ORRERY_DATA", at("kept").c_str(), 1), 0);
  std::filesystem::create_directories(at("kept") / "icews14");
  scratch_.write("kept/icews14/train.txt", "not the file\n");
  const Error error = caught([] { Dataset::open("icews14"); });
  ::unsetenv("ORRERY_DATA");
  EXPECT_TRUE(contains(error.what(), (at("kept") / "icews14").string())) << error.what();
  EXPECT_TRUE(contains(refused([] { Dataset::open("icews41"); }), "icews41"));
}

TEST_F(DatasetTest, AFileWinsOverTheBenchmarkOfItsName) {
  EXPECT_TRUE(names_benchmark("icews14"));
  EXPECT_FALSE(names_benchmark("icews41"));
  const auto before = std::filesystem::current_path();
  scratch_.write("icews14", "a\tp\tb\t2014\n");
  std::filesystem::current_path(scratch_.path());
  const bool is_name = names_benchmark("icews14");
  std::filesystem::current_path(before);
  EXPECT_FALSE(is_name);
}

TEST_F(DatasetTest, CopiesShareOneSetOfFacts) {
  const Dataset data = Dataset::from_columns(three_facts());
  const Dataset copy = data;
  EXPECT_EQ(copy.facts(Split::train).data(), data.facts(Split::train).data());
}

}  // namespace
}  // namespace orrery
