#include "facts/column_map.h"

#include <gtest/gtest.h>

#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using Titles = std::vector<std::string>;

// The titles of subject, relation, object, time, end, recorded, expired; "-": none.
Titles understood(const Titles& titles, std::string_view request = "") {
  const MappedColumns mapped = map_titles(titles, column_request(request), false);
  EXPECT_EQ(mapped.problem, "");
  Titles found;
  for (const std::size_t column : mapped.map.column)
    found.push_back(column == ColumnMap::none ? "-" : titles[column]);
  while (!found.empty() && found.back() == "-") found.pop_back();
  return found;
}

std::string problem_of(const Titles& titles) {
  const MappedColumns mapped = map_titles(titles, {}, false);
  return mapped.problem + "; " + mapped.advice;
}

TEST(ColumnTitles, AreFolded) {
  for (const auto* title : {"valid_from", "Valid From", "VALID-FROM", "validFrom", " valid  from ",
                            "valid.from", "Valid From (UTC)", "valid_from:date", ":VALID_FROM"}) {
    EXPECT_EQ(folded_title(title), "valid_from") << title;
  }
  EXPECT_EQ(folded_title("Actor1Name"), "actor1_name");
  EXPECT_EQ(folded_title("SQLDATE"), "sqldate");
  EXPECT_EQ(folded_title("_start"), "_start");
  EXPECT_EQ(folded_title(""), "");
}

TEST(ColumnMap, SynonymsInAnyCase) {
  for (const Titles& titles :
       {Titles{"subject", "relation", "object", "time"},
        Titles{"head", "predicate", "tail", "date"}, Titles{"S", "P", "O", "When"},
        Titles{"source", "type", "target", "timestamp"},
        Titles{"Source Name", "Event Text", "Target Name", "Event Date"},
        Titles{"from_node", "relationship", "to_node", "since"},
        Titles{"src", "edge_type", "dst", "year"},
        Titles{"startNode", "relationType", "endNode", "validAt"},
        Titles{"Actor1Name", "EventCode", "Actor2Name", "SQLDATE"},
        Titles{"Subjekt", "Beziehung", "Objekt", "Datum"},
        Titles{":START_ID", ":TYPE", ":END_ID", "created_at"},
        Titles{"_start", "_type", "_end", "begin"}}) {
    Titles expected = titles;
    if (titles[3] == "created_at")
      expected = {titles[0], titles[1], titles[2], "created_at", "-", "created_at"};
    EXPECT_EQ(understood(titles), expected);
  }
  for (const auto& [start, end] : {std::pair{"start", "end"},
                                   {"valid_at", "invalid_at"},
                                   {"valid_from", "valid_until"},
                                   {"valid_from", "valid_to"},
                                   {"Since", "Until"},
                                   {"begin", "end"},
                                   {"from", "to"},
                                   {"Von", "Bis"},
                                   {"start_date", "end_date"},
                                   {"Gültig ab", "Gültig bis"}}) {
    EXPECT_EQ(understood({end, "subject", start, "relation", "object"}),
              (Titles{"subject", "relation", "object", start, end}));
  }
}

TEST(ColumnMap, ExportsAsPeopleHaveThem) {
  // An agent's memory: names before ids, the name of an edge before its type.
  EXPECT_EQ(
      understood({"uuid", "source_node_uuid", "target_node_uuid", "source_name", "target_name",
                  "type", "name", "fact", "created_at", "valid_at", "invalid_at", "expired_at"}),
      (Titles{"source_name", "name", "target_name", "valid_at", "invalid_at", "created_at",
              "expired_at"}));
  EXPECT_EQ(
      understood({"uuid", "source_node_uuid", "target_node_uuid", "name", "valid_at", "source"}),
      (Titles{"source_node_uuid", "name", "target_node_uuid", "valid_at"}));
  // Where a fact comes from is no subject beside one.
  EXPECT_EQ(understood({"subject", "relation", "object", "date", "source"}),
            (Titles{"subject", "relation", "object", "date"}));
  EXPECT_EQ(understood({"subject_id", "predicate", "object_id", "date", "source"}),
            (Titles{"subject_id", "predicate", "object_id", "date"}));
  EXPECT_EQ(understood({"GLOBALEVENTID", "SQLDATE", "MonthYear", "Year", "Actor1Code", "Actor1Name",
                        "Actor2Code", "Actor2Name", "EventCode"}),
            (Titles{"Actor1Name", "EventCode", "Actor2Name", "SQLDATE"}));
  EXPECT_EQ(understood({"Event ID", "Event Date", "Source Name", "Source Sectors", "Source Country",
                        "Event Text", "CAMEO Code", "Intensity", "Target Name", "Target Country"}),
            (Titles{"Source Name", "Event Text", "Target Name", "Event Date"}));
  EXPECT_EQ(understood({"source.name", "relation", "target.name", "valid_at"}),
            (Titles{"source.name", "relation", "target.name", "valid_at"}));
}

TEST(ColumnMap, FromAndToAreEntitiesOrTimes) {
  EXPECT_EQ(understood({"from", "to", "type", "since"}), (Titles{"from", "type", "to", "since"}));
  EXPECT_EQ(understood({"subject", "relation", "object", "from", "to"}),
            (Titles{"subject", "relation", "object", "from", "to"}));
  EXPECT_EQ(understood({"subject", "relation", "object", "from"}),
            (Titles{"subject", "relation", "object", "from"}));
  EXPECT_EQ(understood({"from", "to", "relation", "created_at"}),
            (Titles{"from", "relation", "to", "created_at", "-", "created_at"}));
  EXPECT_TRUE(contains(problem_of({"from", "to", "relation"}),
                       "the column \"from\" may be an entity or a time; say which: --columns") ||
              contains(problem_of({"from", "to", "relation"}), "may be an entity or a time"));
}

TEST(ColumnMap, TwoColumnsForOnePartAreRefused) {
  EXPECT_TRUE(contains(problem_of({"s", "p", "o", "date", "time"}),
                       "both \"date\" and \"time\" could be the time"));
  EXPECT_TRUE(contains(problem_of({"subject", "head", "r", "object", "date"}),
                       "both \"subject\" and \"head\" could be the subject"));
  EXPECT_TRUE(contains(problem_of({"source", "target", "type", "name", "date"}),
                       "both \"type\" and \"name\" could be the relation"));
  EXPECT_TRUE(contains(problem_of({"s", "p", "o", "date", "valid_from"}), "could be the time"));
  EXPECT_TRUE(
      contains(problem_of({"s", "p", "o", "start", "end", "valid_to"}), "could be the end"));
  // With an end the start is what goes with it, and a year is coarser than a date.
  EXPECT_EQ(understood({"s", "p", "o", "date", "valid_from", "valid_to"}),
            (Titles{"s", "p", "o", "valid_from", "valid_to"}));
  EXPECT_EQ(understood({"s", "p", "o", "year", "date"}), (Titles{"s", "p", "o", "date"}));
  EXPECT_EQ(understood({"s", "p", "o", "date", "time"}, "start=time"),
            (Titles{"s", "p", "o", "time"}));
}

TEST(ColumnMap, WhatIsMissingIsNamedWithTheTitlesItMayHave) {
  const std::string problem = problem_of({"source", "target", "since", "weight"});
  EXPECT_TRUE(contains(problem, "no column is titled as the relation, and what \"weight\" holds"));
  EXPECT_TRUE(contains(problem, "relation, predicate, p, r"));
  EXPECT_TRUE(contains(problem_of({"s", "p", "o", "end"}), "as the time"));
}

TEST(ColumnRequest, ByTitleOrNumber) {
  const ColumnRequest request = column_request("subject=Source Name, time = 4,object=a=b");
  ASSERT_EQ(request.entries.size(), 3U);
  EXPECT_EQ(request.entries[0].title, "Source Name");
  EXPECT_EQ(request.entries[0].number, 0U);
  EXPECT_EQ(request.entries[1].role, Role::start);
  EXPECT_EQ(request.entries[1].number, 4U);
  EXPECT_EQ(request.entries[2].title, "a=b");
  EXPECT_TRUE(request.has_titles());
  EXPECT_TRUE(column_request("").empty());
  EXPECT_FALSE(column_request("end=5").has_titles());
}

TEST(ColumnRequest, WrongOnesAreRefused) {
  const auto refusal = [](std::string_view text) {
    const Error error = caught([&] { column_request(text); });
    EXPECT_EQ(error.option(), "columns");
    return std::string(error.what());
  };
  EXPECT_TRUE(contains(refusal("subjekt=a"), "did you mean subject?"));
  EXPECT_TRUE(contains(refusal("xyzzy=a"), "there are subject, relation, object, time"));
  EXPECT_TRUE(contains(refusal("subject"), "write --columns subject=source"));
  EXPECT_TRUE(contains(refusal("subject="), "says nothing"));
  EXPECT_TRUE(contains(refusal("time=a,start=b"), "names the time twice"));
  EXPECT_TRUE(contains(refusal("time=0"), "numbered from 1"));
}

}  // namespace
}  // namespace orrery
