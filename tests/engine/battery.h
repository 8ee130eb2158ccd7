// What every engine test needs: variants and targets as test parameters, random tables and
// examples, and tables in and out of an engine.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/cpu/kernels.h"
#include "engine/engine.h"
#include "engine/reference.h"

namespace orrery {

inline std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const auto* kernels : cpu::available_kernels()) names.emplace_back(kernels->name);
  return names;
}

// Where the engine of a test runs: an instruction set of this CPU, or "gpu".
inline std::vector<std::string> targets() {
  auto names = instruction_sets();
  if (is_gpu("auto")) names.emplace_back("gpu");
  return names;
}
// In fp32 unless a test says otherwise: what a GPU takes by itself may be coarser.
inline EngineOptions options_of(const std::string& target, Precision precision = Precision::fp32,
                                int threads = 2) {
  EngineOptions options{.threads = threads, .precision = precision};
  if (target == "gpu")
    options.device = "cuda";
  else
    options.instruction_set = target;
  return options;
}

inline std::string name_of(const ModelVariant& variant) {
  std::string name(variant.name);
  for (const auto& choice : variant.choices) name.append("_").append(choice.value);
  std::ranges::replace(name, '-', '_');  // a test's name takes no other signs
  return name;
}

inline ModelPlan plan_of(const ModelVariant& variant, std::int32_t lanes,
                         ModelShape shape = {11, 6, 4, 0}) {
  shape.dim = lanes * variant.algebra_size;
  shape.window = 2;
  return {&variant, shape, {}};
}
// For tests that only ask whether an engine is made.
inline const ModelPlan tiny_plan{&all_variants()[0], {5, 2, 2, 40}, {}};

// Tests by variant, by variant and target, and of the GPU alone.
class ByVariant : public testing::TestWithParam<std::size_t> {
 protected:
  const ModelVariant& variant = all_variants()[GetParam()];
  ModelPlan plan(std::int32_t lanes, ModelShape shape = {11, 6, 4, 0}) const {
    return plan_of(variant, lanes, shape);
  }
};
class ByVariantAndTarget : public testing::TestWithParam<std::tuple<std::size_t, std::string>> {
 protected:
  const ModelVariant& variant = all_variants()[std::get<0>(GetParam())];
  const std::string& target = std::get<1>(GetParam());
  ModelPlan plan(std::int32_t lanes, ModelShape shape = {11, 6, 4, 0}) const {
    return plan_of(variant, lanes, shape);
  }
};
class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_gpu("auto")) GTEST_SKIP() << "no GPU here: the CUDA engine was not tested";
  }
};

inline auto every_variant() { return testing::Range<std::size_t>(0, all_variants().size()); }
// Those of which training may ask auxiliary losses.
inline auto asking_variants() {
  std::vector<std::size_t> asking;
  for (const ModelVariant& variant : all_variants())
    if (variant.auxiliary_targets != std::array{-1, -1}) asking.push_back(variant.index);
  return testing::ValuesIn(asking);
}
inline auto every_variant_and_target() {
  return testing::Combine(every_variant(), testing::ValuesIn(targets()));
}
inline std::string name_of_variant(const testing::TestParamInfo<std::size_t>& test) {
  return name_of(all_variants()[test.param]);
}
inline std::string name_of_both(
    const testing::TestParamInfo<std::tuple<std::size_t, std::string>>& test) {
  return name_of(all_variants()[std::get<0>(test.param)])
      .append("_")
      .append(std::get<1>(test.param));
}

// By row of the model, and then what candidates' features are worth, where there are any.
inline ReferenceTables empty_tables(const ModelPlan& plan) {
  return ReferenceTables(plan.variant->rows.size() + (plan.feature_count > 0 ? 1 : 0));
}
inline std::size_t place_of(const TableSpec& table, const ReferenceTables& tables) {
  return table.row == no_row ? tables.size() - 1 : table.row;
}

inline ReferenceTables random_tables(const ModelPlan& plan, std::uint64_t seed, double scale) {
  ReferenceTables tables = empty_tables(plan);
  for (const auto& table : tables_of(plan)) {
    const std::size_t place = place_of(table, tables);
    auto& rows = tables[place];
    rows.resize(static_cast<std::size_t>(table.count) * static_cast<std::size_t>(table.width));
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = static_cast<float>(scale * random_normal(seed + place, i));
  }
  return tables;
}

inline std::vector<Example> random_examples(const ModelShape& shape, std::size_t count,
                                            std::uint64_t seed) {
  std::vector<Example> examples(count);
  const auto pick = [&](std::uint64_t i, std::int32_t bound) {
    return static_cast<std::int32_t>(random_below(seed, i, static_cast<std::uint32_t>(bound)));
  };
  for (std::size_t i = 0; i < count; ++i)
    examples[i] = {{pick(4 * i, shape.entities), pick(4 * i + 1, shape.relation_rows),
                    pick(4 * i + 2, shape.times)},
                   pick(4 * i + 3, shape.entities)};
  return examples;
}

// Half of them share a subject and a relation: the busiest rows of real data are as busy.
inline std::vector<Example> skewed_examples(const ModelShape& shape, std::size_t count,
                                            std::uint64_t seed) {
  auto examples = random_examples(shape, count, seed);
  for (std::size_t i = 0; i < count; i += 2) {
    examples[i].query.subject = shape.entities / 2;
    examples[i].query.relation = shape.relation_rows - 1;
  }
  return examples;
}

inline void write_tables(Engine& engine, const ReferenceTables& tables,
                         State state = State::value) {
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    const auto& rows = tables[place_of(engine.tables()[t], tables)];
    engine.write(t, state, std::vector<float>(rows.begin(), rows.end()));
  }
}

// By row of the model, like ReferenceTables.
inline ReferenceTables read_tables(const Engine& engine, State state) {
  ReferenceTables tables = empty_tables(engine.plan());
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    const TableSpec& table = engine.tables()[t];
    std::vector<float> rows(static_cast<std::size_t>(table.count) *
                            static_cast<std::size_t>(table.width));
    engine.read(t, state, rows);
    tables[place_of(table, tables)].assign(rows.begin(), rows.end());
  }
  return tables;
}

inline void copy_tables(const Engine& from, Engine& to, State state) {
  for (std::size_t t = 0; t < from.tables().size(); ++t) {
    std::vector<float> rows(static_cast<std::size_t>(from.tables()[t].count) *
                            static_cast<std::size_t>(from.tables()[t].width));
    from.read(t, state, rows);
    to.write(t, state, rows);
  }
}

// What CpuEngine::step and its peers take from `examples`.
inline std::vector<Example> shuffled(const std::vector<Example>& examples, std::uint64_t key,
                                     std::size_t first, std::size_t count) {
  const RandomPermutation order(examples.size(), key);
  std::vector<Example> batch;
  for (std::size_t i = 0; i < count; ++i) batch.push_back(examples[order(first + i)]);
  return batch;
}

inline double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  return largest;
}

}  // namespace orrery
