// What a relation does to entities, against embeddings read by hand and against planted patterns.
#include "orrery/geometry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.h"
#include "facts/scratch.h"
#include "math/algebra.h"
#include "orrery/inspect.h"
#include "orrery/models.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

void add_fact(FactColumns& facts, const std::string& subject, const std::string& relation,
              const std::string& object, std::uint64_t day) {
  facts.subject.push_back(subject);
  facts.relation.push_back(relation);
  facts.object.push_back(object);
  facts.time.push_back(fmt::format("2014-01-{:02}", day + 1));
}

// Everyone meets somebody, who meets them; whoever leads is followed by the one that is led.
const Dataset& planted() {
  static const Dataset data = [] {
    FactColumns facts;
    for (std::uint64_t i = 0; i < 240; ++i) {
      const auto one = random_below(1, i, 24), other = (one + 1 + random_below(2, i, 23)) % 24;
      const auto a = fmt::format("e{:02}", one), b = fmt::format("e{:02}", other);
      const std::uint64_t day = random_below(3, i, 6);
      if (i % 2 == 0) {
        add_fact(facts, a, "meets", b, day);
        add_fact(facts, b, "meets", a, day);
      } else {
        add_fact(facts, a, "leads", b, day);
        add_fact(facts, b, "follows", a, day);
      }
    }
    return Dataset::from_columns(facts);
  }();
  return data;
}

Model trained(const std::string& model, std::int64_t epochs = 2) {
  TrainOptions options;
  options.model = model;
  options.dim = 48;
  options.epochs = epochs;
  options.batch = 32;
  options.threads = 1;
  options.device = "cpu";
  options.eval_every = 0;
  options.lambda_n3 = 0.0001;
  return train(planted(), options);
}

TEST(Geometry, EveryModelHasOneOrSaysWhyNot) {
  const std::set<std::string> without = {"boxte", "atise", "tuckertnt"};
  std::set<std::string> found;
  for (const ModelInfo& info : models()) {
    const std::string name(info.name);
    const Model model = trained(name, 1);
    const std::string reason = no_geometry_reason(model);
    EXPECT_EQ(!reason.empty(), without.contains(name)) << name << ": " << reason;
    const auto look = [&] { return relation_geometry(model, "meets", {.time = "2014-01-03"}); };
    if (!reason.empty()) {
      EXPECT_TRUE(contains(refused(look), reason)) << name;
      found.insert(name);
      continue;
    }
    const RelationGeometry geometry = look();
    EXPECT_FALSE(geometry.numbers.empty()) << name;
    EXPECT_EQ(geometry.nearest.size(), 2U) << name;
    EXPECT_EQ(geometry.inverse.size(), 2U) << name;
    EXPECT_EQ(geometry.over_time.size(), model.card().timed ? 6U : 0U) << name;
    EXPECT_EQ(geometry.time.empty(), !model.card().timed) << name;
    EXPECT_GT(geometry.size, 0) << name;
    EXPECT_TRUE(std::isfinite(geometry.shift)) << name;
    EXPECT_LE(std::abs(geometry.symmetry), 1) << name;
    if (model.card().timed) {
      EXPECT_NEAR(geometry.over_time[2].likeness, 1, 1e-12) << name;
    }
  }
  EXPECT_EQ(found, without);
}

// Of complex numbers everything can be read off the relation's own row.
TEST(Geometry, AComplexRelationIsItsNumbers) {
  const Model model = trained("complex");
  const Embeddings relation = model.embeddings("relation");
  const auto id =
      std::ranges::find(model.relation_names(), "leads") - model.relation_names().begin();
  const auto row = relation.row(id);
  const std::size_t lanes = row.size() / 2;
  const RelationGeometry geometry = relation_geometry(model, "leads");
  ASSERT_EQ(geometry.numbers.size(), lanes);
  EXPECT_EQ(geometry.components, 2);
  EXPECT_TRUE(geometry.product);
  double real = 0, imaginary = 0;
  for (std::size_t l = 0; l < lanes; ++l) {
    EXPECT_NEAR(geometry.numbers[l].alike, row[l], 1e-7);
    EXPECT_NEAR(geometry.numbers[l].reversed, std::abs(row[lanes + l]), 1e-7);
    real += std::pow(row[l], 2);
    imaginary += std::pow(row[lanes + l], 2);
  }
  EXPECT_NEAR(geometry.symmetry, (real - imaginary) / (real + imaginary), 1e-7);
  EXPECT_NEAR(geometry.size, std::sqrt((real + imaginary) / static_cast<double>(lanes)), 1e-7);
  EXPECT_NEAR(geometry.shift, 0, 1e-12);
}

TEST(Geometry, ABiquaternionRelationIsItsTransform) {
  using Value = Element<double, Biquaternion>;
  const Model model = trained("bsca");
  const RelationGeometry geometry = relation_geometry(model, "leads", {.time = "2014-01-02"});
  const auto id =
      std::ranges::find(model.relation_names(), "leads") - model.relation_names().begin();
  const RelationTransform transform =
      relation_transform(model, static_cast<std::int32_t>(id), *model.find_time("2014-01-02"));
  const std::size_t lanes = transform.product.size() / Value::size;
  double straight = 0, turned = 0;
  for (std::size_t l = 0; l < lanes; ++l) {
    Value r;
    for (std::size_t c = 0; c < Value::size; ++c) r.c[c] = transform.product[c * lanes + l];
    double matrix[8][8];
    for (int i = 0; i < 8; ++i) {
      Value unit = zero_element<double, Biquaternion>();
      unit.c[i] = 1;
      const Value sent = mul(unit, r);
      for (int j = 0; j < 8; ++j) matrix[i][j] = sent.c[j];
    }
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        straight += matrix[i][j] * matrix[i][j];
        turned += matrix[i][j] * matrix[j][i];
      }
  }
  EXPECT_NEAR(geometry.symmetry, turned / straight, 1e-9);
  EXPECT_NEAR(geometry.size, std::sqrt(straight / static_cast<double>(8 * lanes)), 1e-9);
}

TEST(Geometry, PlantedPatternsAreFound) {
  const Model model = trained("tcomplex", 60);
  const RelationGeometry meets = relation_geometry(model, "meets", {.time = "2014-01-03"});
  const RelationGeometry leads = relation_geometry(model, "leads", {.time = "2014-01-03"});
  EXPECT_GT(meets.symmetry, leads.symmetry + 0.2);
  EXPECT_EQ(leads.inverse.front().name, "follows");
  EXPECT_GT(leads.inverse.front().likeness, leads.inverse.back().likeness);
  EXPECT_GT(leads.learned_reverse, 0.3);
  EXPECT_EQ(relation_geometry(model, "follows", {.time = "2014-01-03"}).inverse.front().name,
            "leads");
}

// r + t moves everything one way, and its reverse the other.
TEST(Geometry, ATranslationTurnsRoundWithItsDirection) {
  const RelationGeometry geometry =
      relation_geometry(trained("ttranse"), "leads", {.time = "2014-01-03"});
  EXPECT_FALSE(geometry.product);
  EXPECT_NEAR(geometry.symmetry, -1, 1e-12);
  EXPECT_NEAR(geometry.size, 1, 1e-12);
  EXPECT_GT(geometry.shift, 0);
  for (const NumberGeometry& number : geometry.numbers) EXPECT_NEAR(number.alike, 0, 1e-12);
}

TEST(Geometry, WhatIsWrongIsRefused) {
  const Model model = trained("tcomplex");
  EXPECT_TRUE(contains(refused([&] { relation_geometry(model, "leeds", {.time = "2014-01-03"}); }),
                       "leads"));
  EXPECT_TRUE(contains(refused([&] { relation_geometry(model, ""); }), "missing"));
  EXPECT_TRUE(contains(refused([&] { relation_geometry(model, "leads"); }), "depend on time"));
  EXPECT_TRUE(contains(
      refused([&] { relation_geometry(model, "leads", {.time = "2014-01-03", .end = true}); }),
      "starts and ends"));
  EXPECT_TRUE(
      contains(relation_geometry(model, "leads", {.time = "2019-05-05"}).note, "2014-01-06"));
  EXPECT_EQ(relation_geometry(model, "Leads", {.time = "2014-01-03", .top = 1}).nearest.size(), 1U);
}

TEST(Geometry, StartsAndEndsAreTwoRelations) {
  FactColumns facts;
  for (std::uint64_t i = 0; i < 120; ++i) {
    add_fact(facts, fmt::format("e{}", random_below(1, i, 12)), "holds",
             fmt::format("e{}", random_below(2, i, 12)), 0);
    facts.time.back() = std::to_string(1990 + random_below(3, i, 5));
    facts.end.push_back(std::to_string(1996 + random_below(4, i, 5)));
  }
  TrainOptions options;
  options.model = "tcomplex";
  options.dim = 16;
  options.epochs = 2;
  options.threads = 1;
  options.device = "cpu";
  options.eval_every = 0;
  DataOptions reading;
  reading.intervals = "ends";
  const Model model = train(Dataset::from_columns(facts, {}, {}, reading), options);
  const RelationGeometry start = relation_geometry(model, "holds", {.time = "1992"});
  const RelationGeometry end = relation_geometry(model, "holds", {.time = "1992", .end = true});
  EXPECT_EQ(start.event, "start");
  EXPECT_EQ(end.event, "end");
  EXPECT_NE(start.symmetry, end.symmetry);
  EXPECT_TRUE(start.nearest.empty());
}

}  // namespace
}  // namespace orrery
