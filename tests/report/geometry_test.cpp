#include "report/geometry.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orrery/report.h"

namespace orrery {
namespace {

RelationGeometry sample_geometry() {
  RelationGeometry one;
  one.relation = "Make a visit";
  one.time = "2014-04-25";
  one.components = 8;
  one.size = 1.02;
  one.shift = 0.49;
  one.symmetry = 0.96;
  one.learned_reverse = 0.64;
  one.numbers = {{1.2, 0.5}, {-0.3, 0.4}};
  one.nearest = {{"Consult", 0.25}};
  one.inverse = {{"Host a visit", -0.26}};
  one.over_time = {{"2014-04-25", 1.02, 1}, {"2014-09-29", 0.9, 0.25}};
  return one;
}

std::string first_sentence(double symmetry) {
  RelationGeometry one = sample_geometry();
  one.symmetry = symmetry;
  return geometry_sentences(one).front();
}

TEST(GeometryReport, SaysWhatTheNumbersMean) {
  EXPECT_TRUE(first_sentence(0.96).starts_with("Both directions are alike"));
  EXPECT_TRUE(first_sentence(0.5).starts_with("It leans towards both"));
  EXPECT_TRUE(first_sentence(0).starts_with("Its direction matters"));
  EXPECT_TRUE(first_sentence(-0.5).starts_with("It mostly turns round"));
  EXPECT_TRUE(first_sentence(-1).starts_with("It turns round"));
  const auto sentences = geometry_sentences(sample_geometry());
  ASSERT_EQ(sentences.size(), 4U);
  EXPECT_NE(sentences[1].find("by 1.02 on average, from 0.50 to 1.30"), std::string::npos);
  EXPECT_NE(sentences[3].find("2014-09-29"), std::string::npos);
  RelationGeometry moved = sample_geometry();
  moved.product = false;
  moved.over_time.clear();
  EXPECT_EQ(geometry_sentences(moved).size(), 3U);
  EXPECT_NE(geometry_sentences(moved)[1].find("moves an entity by 0.49"), std::string::npos);
}

TEST(GeometryReport, TextAndJsonHaveAllOfIt) {
  const std::string text = geometry_text(sample_geometry());
  for (const char* part : {"Make a visit, 2014-04-25", "Consult", "0.25", "Host a visit", "−0.26"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  const auto json = nlohmann::json::parse(geometry_json(sample_geometry()));
  EXPECT_EQ(json.at("numbers")[1].at("alike"), -0.3);
  EXPECT_EQ(json.at("inverse")[0].at("name"), "Host a visit");
  EXPECT_EQ(json.at("over_time")[1].at("likeness"), 0.25);
  EXPECT_FALSE(json.contains("note"));
}

}  // namespace
}  // namespace orrery
