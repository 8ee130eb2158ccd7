// What every engine test needs: from a variant to its type, and tables in and out of an engine.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/cpu/kernels.h"
#include "engine/engine.h"
#include "engine/reference.h"
#include "models/list.h"

namespace orrery {

// Calls f.template operator()<M>() for the variant's type.
template <class F>
void visit_variant(const ModelVariant& variant, const F& f) {
  [&]<class... Models>(ModelList<Models...>) {
    std::size_t index = 0;
    ((index++ == variant.index ? f.template operator()<Models>() : void()), ...);
  }(AllModels{});
}

inline std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const auto* kernels : cpu::available_kernels()) names.emplace_back(kernels->name);
  return names;
}

inline std::string name_of(const ModelVariant& variant) {
  std::string name(variant.name);
  for (const auto& choice : variant.choices)
    if (!choice.option.empty()) name += "_" + std::string(choice.value);
  return name;
}

inline ReferenceTables random_tables(const ModelPlan& plan, std::uint64_t seed, double scale) {
  ReferenceTables tables(plan.variant->rows.size());
  for (const auto& table : tables_of(*plan.variant, plan.shape, plan.without)) {
    auto& rows = tables[table.row];
    rows.resize(static_cast<std::size_t>(table.count) * static_cast<std::size_t>(plan.shape.dim));
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = static_cast<float>(scale * random_normal(seed + table.row, i));
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

inline void write_tables(Engine& engine, const ReferenceTables& tables) {
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    const auto& rows = tables[engine.tables()[t].row];
    engine.write(t, State::value, std::vector<float>(rows.begin(), rows.end()));
  }
}

// By row of the model, like ReferenceTables.
inline ReferenceTables read_tables(const Engine& engine, State state) {
  ReferenceTables tables(engine.plan().variant->rows.size());
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    std::vector<float> rows(static_cast<std::size_t>(engine.tables()[t].count) *
                            static_cast<std::size_t>(engine.plan().shape.dim));
    engine.read(t, state, rows);
    tables[engine.tables()[t].row].assign(rows.begin(), rows.end());
  }
  return tables;
}

}  // namespace orrery
