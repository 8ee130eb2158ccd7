// Rows of one model in another: ids are places in sorted lists, so new names move them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/model_file.h"
#include "learn/model_header.h"

namespace orrery {

// For each row of a later model that of an earlier one, or `none`.
struct RowMap {
  static constexpr std::int32_t none = -1;
  std::vector<std::int32_t> entities, relation_rows, times, windows;

  // Tables of one row, and core tensors, are the same in both.
  bool maps(RowOf of) const { return of < RowOf::shared; }
  std::span<const std::int32_t> of(RowOf of) const;
};

// Entities and relations by their names; a time by its first point, which an earlier row holds; a
// window by its first time.
RowMap row_map(const ModelHeader& earlier, const ModelHeader& later);

// Those of `earlier` over those of `later` that correspond to them.
void copy_known_rows(const RowMap& map, const TableSpec& table, std::span<const float> earlier,
                     std::span<float> later);

}  // namespace orrery
