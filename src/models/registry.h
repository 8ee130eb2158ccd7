// The models as data: what a program can list, pick by name and options, and plan tables for.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/model.h"

namespace orrery {

// One compiled variant of a model; its index is its place in AllModels.
struct ModelVariant {
  std::size_t index = 0;
  std::string_view name, title, paper, formula;
  std::span<const Choice> choices;
  std::span<const RowSpec> rows;
  int algebra_size = 1;
  std::span<const bool> unit;  // which components the algebra's unit has
  std::span<const int> later_components;
  double (*vote_scale)(int lanes) = nullptr;
  int formula_size = 1;                    // components of a lane that the query's formula gives
  int query_size = 1, candidate_size = 1;  // components of their lanes
  bool has_core = false;                   // the core tensor makes the query of what it gives
  std::string_view comparator;             // in words
  bool by_product = true;                  // queries are compared by one matrix product
  bool rooted = false;                     // the score is −√ of the sum over lanes
  Candidates candidates = Candidates::entity_rows;
  std::array<int, auxiliary_losses> auxiliary_targets = {
      -1, -1};  // rows, by AuxiliaryLoss; −1: not asked

  // ⟨q₁, c⟩ + ⟨q₂, c⟩ = ⟨q₁ + q₂, c⟩: where this holds, a pair of queries costs one row of scores.
  bool sums_queries() const { return by_product && candidates != Candidates::each_time; }
  bool derives_candidates() const { return candidates != Candidates::entity_rows; }
  std::string_view choice(std::string_view option) const;  // "" where the model has no such option
};

std::span<const ModelVariant> all_variants();
// Model names in the order of the list, each once.
std::vector<std::string_view> model_names();

// The variant of `name` whose choices match `options` (missing ones take the default). Unknown
// names and values are request Errors that list what there is.
const ModelVariant& find_variant(std::string_view name,
                                 const std::map<std::string, std::string>& options);

// A choice as an option of a run: of all models that have it, in the order of the list.
struct ChoiceOption {
  std::string_view name;
  std::string sentence;                  // what it decides in each of them
  std::vector<std::string_view> values;  // each once
};
std::span<const ChoiceOption> choice_options();
// The same of any variants, such as those of a test.
std::vector<ChoiceOption> choice_options_of(std::span<const ModelVariant> variants);

inline constexpr std::int32_t widest_core = 1024;  // of a model with a core tensor: four gigabytes

// "entity", "relation", …: what the rows of a table are of.
std::string_view name_of(RowOf of);

// Sizes of a model's tables.
struct ModelShape {
  std::int32_t entities = 0;
  std::int32_t relation_rows = 0;
  std::int32_t times = 0;
  std::int32_t dim = 0;       // reals a row
  std::int32_t window = 120;  // times that share a window's row

  std::int32_t rows_of(RowOf of) const {
    switch (of) {
      case RowOf::entity:
        return entities;
      case RowOf::relation:
        return relation_rows;
      case RowOf::time:
        return times;
      case RowOf::window:
        return (times + window - 1) / window;
      case RowOf::core:
        return dim * dim;
      case RowOf::answer:
        return 0;
      case RowOf::shared:
        break;
    }
    return 1;
  }
};

inline constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

// A table that is trained: one of the variant's rows that is neither unused nor switched off.
struct TableSpec {
  std::size_t row = 0;  // index into ModelVariant::rows; no_row: of no formula
  std::string_view name;
  RowOf of = RowOf::entity;
  std::int32_t count = 0;
  std::int32_t width = 0;  // reals of a row
};
std::vector<TableSpec> tables_of(const ModelVariant& variant, const ModelShape& shape,
                                 std::span<const std::string> without);
std::int64_t parameter_count(std::span<const TableSpec> tables);

}  // namespace orrery
