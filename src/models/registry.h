// The models as data: what a program can list, pick by name and options, and plan tables for.
#pragma once

#include <cstdint>
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
  double (*vote_scale)(int lanes) = nullptr;

  std::string_view choice(std::string_view option) const;  // "" where the model has no such option
};

std::span<const ModelVariant> all_variants();
// Model names in the order of the list, each once.
std::vector<std::string_view> model_names();

// The variant of `name` whose choices match `options` (missing ones take the default). Unknown
// names and values are request Errors that list what there is.
const ModelVariant& find_variant(std::string_view name,
                                 const std::map<std::string, std::string>& options);

// Sizes of a model's tables.
struct ModelShape {
  std::int32_t entities = 0;
  std::int32_t relation_rows = 0;
  std::int32_t times = 0;
  std::int32_t dim = 0;  // reals a row

  std::int32_t rows_of(RowOf of) const {
    return of == RowOf::entity ? entities : of == RowOf::relation ? relation_rows : times;
  }
};

// A table that is trained: one of the variant's rows that is neither unused nor switched off.
struct TableSpec {
  std::size_t row = 0;  // index into ModelVariant::rows
  std::string_view name;
  RowOf of = RowOf::entity;
  std::int32_t count = 0;
};
std::vector<TableSpec> tables_of(const ModelVariant& variant, const ModelShape& shape,
                                 std::span<const std::string> without);
std::int64_t parameter_count(std::span<const TableSpec> tables, const ModelShape& shape);

}  // namespace orrery
