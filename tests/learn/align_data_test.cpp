#include "learn/align_data.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/fingerprint.h"
#include "data/load.h"
#include "data/within_graph.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

TemporalGraph load(const std::string& train, const std::string& test = "",
                   std::int64_t min_facts = 1) {
  const testing::ScratchDirectory scratch;
  scratch.write("train.txt", train);
  if (!test.empty()) scratch.write("test.txt", test);
  LoadOptions options;
  options.min_facts = min_facts;
  return load_facts(scratch.path(), options);
}

ModelHeader header_of(const TemporalGraph& data) {
  ModelHeader header;
  header.entities = data.entities;
  header.relations = data.relations;
  header.times = data.times;
  return header;
}

std::vector<std::string> labels_of(const TemporalGraph& data, Split split) {
  std::vector<std::string> labels;
  for (const Fact& fact : data.split(split)) {
    const Moment& moment = data.times.moments[static_cast<std::size_t>(fact.when)];
    const auto label = [&](std::int32_t row) {
      return row < 0 ? std::string("?") : data.times.rows[static_cast<std::size_t>(row)].label;
    };
    labels.push_back(data.entities.name(fact.subject) + " " + data.relations.name(fact.relation) +
                     " " + data.entities.name(fact.object) + " " + label(moment.start) + " " +
                     label(moment.end));
  }
  return labels;
}

using Labels = std::vector<std::string>;

TEST(AlignData, FactsKeepTheirNamesUnderTheModelsIds) {
  const auto model =
      header_of(load("a\tp\tb\t2014-01-01\nc\tq\td\t2014-01-05\nb\tr\te\t2014-01-09\n"));
  // Other ids: 'a' and 'p' are missing, so all move.
  const TemporalGraph data =
      align_data(model, load("e\tr\td\t2014-01-05\n", "d\tq\tb\t2014-01-06\n"));
  EXPECT_EQ(labels_of(data, Split::train), (Labels{"e r d 2014-01-05 2014-01-05"}));
  EXPECT_EQ(labels_of(data, Split::test), (Labels{"d q b 2014-01-05 2014-01-05"}));
  EXPECT_EQ(data.split(Split::test)[0].subject, 3);
  EXPECT_EQ(data.entities.size(), 5);
  EXPECT_EQ(data.times.size(), 3);
}

TEST(AlignData, TheModelsOwnDataStaysAsItIs) {
  const TemporalGraph data = load("a\tp\tb\t2014\nc\tq\td\t2015\n");
  const TemporalGraph aligned = align_data(header_of(data), data);
  EXPECT_EQ(aligned.facts[0], data.facts[0]);
  EXPECT_EQ(fingerprint(aligned), fingerprint(data));
}

TEST(AlignData, UnknownNamesAreCountedAndNamed) {
  const auto model = header_of(load("a\tp\tb\t2014\n"));
  const Error error = caught([&] { align_data(model, load("a\tp\tx\t2014\ny\tp\tb\t2014\n")); });
  EXPECT_EQ(error.option(), "data");
  EXPECT_TRUE(contains(error.message(), "2 of the data's 4 entities, such as 'x'")) << error.what();
  EXPECT_TRUE(contains(refused([&] { align_data(model, load("a\tq\tb\t2014\n")); }),
                       "1 of the data's 1 relations, such as 'q'"));
}

TEST(AlignData, PointsAndIntervalsDoNotMix) {
  const TemporalGraph points = load("a\tp\tb\t2014\n");
  const TemporalGraph intervals = load("a\tp\tb\t2014\t2015\n");
  EXPECT_TRUE(contains(refused([&] { align_data(header_of(points), intervals); }), "interval"));
  EXPECT_TRUE(contains(refused([&] { align_data(header_of(intervals), points); }), "point"));
}

// Months and days count from different years: a row of one means nothing to the other.
TEST(AlignData, GranularitiesDoNotMix) {
  const auto days = header_of(load("a\tp\tb\t2014-01-01\n"));
  EXPECT_TRUE(contains(refused([&] { align_data(days, load("a\tp\tb\t2014-01\n")); }), "month"));
}

// The data's own classes would be 1900..1940 and 1950..1990; what counts is the model's.
TEST(AlignData, IntervalsGoToTheModelsClassesByTheirTexts) {
  const auto model = header_of(load("a\tp\tb\t1900\t1930\na\tp\tb\t1940\t1990\n"));
  ASSERT_EQ(model.times.size(), 4);
  const TemporalGraph data = align_data(
      model, load("a\tp\tb\t1900\t1940\nb\tp\ta\t1950\t1990\n",
                  "a\tp\tb\t1928\t####\na\tp\tb\t####\t1941-##-##\na\tp\tb\t1700\t2000\n", 2));
  EXPECT_EQ(labels_of(data, Split::train), (Labels{"a p b 1900 1940", "b p a 1940 1990"}));
  EXPECT_EQ(labels_of(data, Split::test),
            (Labels{"a p b 1930 ?", "a p b ? 1940", "a p b 1900 1990"}));
}

TEST(AlignData, WithinTakesTheModelsRowsByThePointsOfTheData) {
  const auto model = header_of(testing::within_graph("a\tr\tb\t1900\t1909\nb\tr\tc\t1910\t\n"));
  const TemporalGraph data =
      align_data(model, testing::within_graph("a\tr\tb\t1850\t1905\nc\tr\ta\t1908\t1912\n"
                                              "a\tr\tc\t1911\t\n"));
  EXPECT_EQ(labels_of(data, Split::train),
            (Labels{"a r b 1900..1909 1900..1909", "c r a 1900..1909 1910", "a r c 1910 ?"}));
}

TEST(AlignData, AnotherReadingIsRefused) {
  const std::string facts = "a\tr\tb\t1900\t1909\n";
  const auto model = header_of(testing::within_graph(facts));
  EXPECT_TRUE(has_ids_of(model, testing::within_graph(facts)));
  EXPECT_FALSE(has_ids_of(model, load(facts)));
  EXPECT_TRUE(contains(refused([&] { align_data(model, load(facts)); }), "'within'"));
}

}  // namespace
}  // namespace orrery
