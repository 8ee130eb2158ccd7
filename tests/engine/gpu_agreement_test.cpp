// Shapes that cross the blocks of GPU kernels, against the slow truth in every precision. Half of
// each batch shares a subject and a relation.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

struct LargeShape {
  std::int32_t lanes, entities;
  std::size_t batch;
  std::int32_t relations = 40, times = 30;
  bool regularised = true;  // without regularisers answers get no gradient of their own
  std::int32_t negatives = 0;
  std::array<double, auxiliary_losses> auxiliary = {};
  float teacher_share = 0;
};

class GpuAgreement : public OnGpu {
 protected:
  const ModelVariant& attentive = find_variant("bsca", {});
  const ModelVariant& plain = find_variant("bsca", {{"attention", "none"}});
  const ModelVariant& complex_valued = find_variant("tntcomplex", {});
  const ModelVariant& asked = find_variant("tcomplex", {});

  static void expect_agreement(const ModelVariant& variant, const LargeShape& large) {
    StepCase test{.lanes = large.lanes,
                  .shape = {large.entities, large.relations, large.times, 0},
                  .examples = large.batch,
                  .first = 0,
                  .count = large.batch};
    test.scale = 0.4 * std::pow(5.0 / large.lanes, 0.125);  // scores of a few units at any width
    test.skewed = true;
    if (large.regularised)
      test.rules.dropout = 0.1F;
    else
      test.rules = {};
    test.rules.negatives = large.negatives;
    test.rules.auxiliary = large.auxiliary;
    test.rules.teacher_share = large.teacher_share;
    const SlowStep truth(variant, test);
    for (const auto& [precision, tolerance, name] : roundings)
      truth.expect_of(
          options_of("gpu", precision), tolerance,
          name_of(variant) + " in " + std::string(name) + ", " + std::to_string(large.lanes) +
              " lanes, " + std::to_string(large.entities) + " entities, batch " +
              std::to_string(large.batch) + ", " + std::to_string(large.negatives) + " drawn" +
              (test.rules.has_auxiliary_losses() ? ", auxiliary losses" : "") +
              (large.teacher_share > 0 ? ", taught" : "") +
              (large.regularised ? "" : ", without regularisers"));
  }
};

TEST_F(GpuAgreement, OfWideRows) {
  expect_agreement(attentive, {.lanes = 1030, .entities = 11, .batch = 37});
  expect_agreement(attentive, {.lanes = 520, .entities = 1100, .batch = 37});
  expect_agreement(attentive, {.lanes = 500, .entities = 11, .batch = 300});
  expect_agreement(plain, {.lanes = 520, .entities = 11, .batch = 37});
  expect_agreement(complex_valued, {.lanes = 1030, .entities = 1100, .batch = 1});
  expect_agreement(complex_valued, {.lanes = 500, .entities = 11, .batch = 1100});
}

TEST_F(GpuAgreement, OfAuxiliaryLosses) {
  const std::array auxiliary = {0.5, 1.5};
  for (const bool regularised : {true, false}) {
    expect_agreement(attentive, {.lanes = 520,
                                 .entities = 11,
                                 .batch = 9,
                                 .regularised = regularised,
                                 .auxiliary = auxiliary});
    for (const ModelVariant* variant : {&attentive, &asked})
      expect_agreement(*variant, {.lanes = 5,
                                  .entities = 60,
                                  .batch = 300,
                                  .relations = 6,
                                  .times = 4,
                                  .regularised = regularised,
                                  .auxiliary = auxiliary});
  }
  expect_agreement(attentive, {.lanes = 500, .entities = 11, .batch = 300, .auxiliary = auxiliary});
  expect_agreement(plain, {.lanes = 1030, .entities = 1100, .batch = 37, .auxiliary = auxiliary});
  expect_agreement(
      asked,
      {.lanes = 70, .entities = 11, .batch = 1100, .relations = 3000, .auxiliary = auxiliary});
  expect_agreement(
      asked, {.lanes = 33, .entities = 11, .batch = 37, .times = 5000, .auxiliary = auxiliary});
}

TEST_F(GpuAgreement, OfATeacher) {
  for (const std::int32_t entities : {11, 2047, 2049, 10000, 20000})
    expect_agreement(attentive,
                     {.lanes = 3, .entities = entities, .batch = 5, .teacher_share = 0.4F});
  expect_agreement(plain, {.lanes = 520, .entities = 11, .batch = 37, .teacher_share = 0.4F});
  expect_agreement(attentive, {.lanes = 520,
                               .entities = 11,
                               .batch = 9,
                               .regularised = false,
                               .auxiliary = {0.5, 1.5},
                               .teacher_share = 0.4F});
  expect_agreement(complex_valued,
                   {.lanes = 5, .entities = 1100, .batch = 6000, .teacher_share = 0.4F});
  for (const ModelVariant& variant : all_variants())
    expect_agreement(variant, {.lanes = 37,
                               .entities = 300,
                               .batch = 150,
                               .relations = 6,
                               .times = 5,
                               .negatives = 60,
                               .teacher_share = 0.4F});
}

TEST_F(GpuAgreement, OfRowsAboutAsWideAsABlock) {
  expect_agreement(attentive, {.lanes = 31, .entities = 1100, .batch = 37});
  expect_agreement(attentive, {.lanes = 33, .entities = 11, .batch = 1100});
  expect_agreement(attentive, {.lanes = 64, .entities = 1100, .batch = 37});
  expect_agreement(complex_valued, {.lanes = 31, .entities = 11, .batch = 1100});
  expect_agreement(complex_valued, {.lanes = 33, .entities = 1100, .batch = 37});
  expect_agreement(complex_valued, {.lanes = 64, .entities = 1100, .batch = 37});
}

TEST_F(GpuAgreement, OfManyEntities) {
  expect_agreement(attentive, {.lanes = 1, .entities = 40000, .batch = 37});
  expect_agreement(attentive, {.lanes = 33, .entities = 5000, .batch = 1});
  expect_agreement(complex_valued, {.lanes = 1, .entities = 40000, .batch = 300});
  expect_agreement(complex_valued, {.lanes = 5, .entities = 5000, .batch = 1100});
}

// The next three, which are small, reach the kernels that the battery's shapes do not:
// tests/tools/check_gpu runs them under a sanitizer. Rows of scores are held by 4 or 8 quads a
// thread, or read twice.
TEST_F(GpuAgreement, OfEverySoftmax) {
  for (const std::int32_t entities : {3000, 10000, 20000})
    expect_agreement(complex_valued, {.lanes = 3, .entities = entities, .batch = 5});
}

// More lanes than one block can sweep: gates first, rows after them.
TEST_F(GpuAgreement, OfASweepInTwoPasses) {
  for (const bool regularised : {true, false})
    expect_agreement(attentive,
                     {.lanes = 520, .entities = 11, .batch = 9, .regularised = regularised});
}

// Rows with hundreds of contributions, whose runs are folded before they are summed.
TEST_F(GpuAgreement, OfLongRuns) {
  for (const ModelVariant* variant : {&attentive, &complex_valued})
    for (const bool regularised : {true, false})
      expect_agreement(*variant, {.lanes = 5,
                                  .entities = 60,
                                  .batch = 300,
                                  .relations = 6,
                                  .times = 4,
                                  .regularised = regularised});
}

// Comparisons are tiles of queries, candidates and lanes; where candidates depend on time, queries
// come in runs, of which some are longer than a tile here and some shorter.
TEST_F(GpuAgreement, OfEveryModelAcrossTiles) {
  for (const ModelVariant& variant : all_variants())
    for (const std::int32_t negatives : {0, 60}) {
      expect_agreement(variant, {.lanes = 37,
                                 .entities = 300,
                                 .batch = 150,
                                 .relations = 6,
                                 .times = 5,
                                 .negatives = negatives});
      expect_agreement(variant, {.lanes = 70,
                                 .entities = 140,
                                 .batch = 21,
                                 .relations = 6,
                                 .times = 19,
                                 .regularised = negatives > 0,
                                 .negatives = negatives});
    }
}

TEST_F(GpuAgreement, OfComparisonsWithManyCandidates) {
  for (const std::string_view name : {"ttranse", "boxte", "hyte"})
    expect_agreement(find_variant(name, {}),
                     {.lanes = 3, .entities = 5000, .batch = 9, .times = 3});
}

TEST_F(GpuAgreement, OfEntitiesAtTheEndsOfASoftmax) {
  for (const std::int32_t entities : {2047, 2048, 2049, 8192, 8193, 16384, 16385})
    expect_agreement(attentive, {.lanes = 3, .entities = entities, .batch = 5});
}

// Products run over candidates padded to a multiple of eight; nothing else may see the padding.
TEST_F(GpuAgreement, OfCountsThatArePadded) {
  for (const std::int32_t count : {1, 7, 8, 9, 15, 17})
    for (const ModelVariant* variant : {&attentive, &asked})
      expect_agreement(*variant, {.lanes = 5,
                                  .entities = count,
                                  .batch = static_cast<std::size_t>(3 * count),
                                  .relations = 2 * count,
                                  .times = count,
                                  .auxiliary = {0.5, 1.5},
                                  .teacher_share = count > 8 ? 0.4F : 0.0F});
  for (const std::int32_t negatives : {1, 6, 13})
    expect_agreement(plain, {.lanes = 5, .entities = 61, .batch = 7, .negatives = negatives});
}

TEST_F(GpuAgreement, OfLargeBatches) {
  expect_agreement(attentive, {.lanes = 5, .entities = 1100, .batch = 6000});
  expect_agreement(attentive, {.lanes = 5, .entities = 1, .batch = 1100});
  expect_agreement(complex_valued, {.lanes = 5, .entities = 11, .batch = 6000});
  expect_agreement(complex_valued, {.lanes = 1, .entities = 1, .batch = 1100});
}

TEST_F(GpuAgreement, OfManyRelationsAndTimes) {
  for (const ModelVariant* variant : {&attentive, &complex_valued})
    expect_agreement(*variant,
                     {.lanes = 5, .entities = 11, .batch = 1100, .relations = 3000, .times = 5000});
}

TEST_F(GpuAgreement, OfThePrecisionItTakesByItself) {
  for (const ModelVariant& variant : all_variants())
    SlowStep(variant, {.lanes = 19})
        .expect_of(options_of("gpu", Precision::automatic), 2e-2, name_of(variant));
}

}  // namespace
}  // namespace orrery
