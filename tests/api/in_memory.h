// Facts of files as facts that have never seen a disk.
#pragma once

#include "orrery/dataset.h"

namespace orrery::testing {

inline FactColumns columns_of(const Dataset& data, Split split) {
  FactColumns columns;
  for (const Fact& fact : data.facts(split)) {
    columns.subject.push_back(data.entity_names()[static_cast<std::size_t>(fact.subject)]);
    columns.relation.push_back(data.relation_names()[static_cast<std::size_t>(fact.relation)]);
    columns.object.push_back(data.entity_names()[static_cast<std::size_t>(fact.object)]);
    columns.time.push_back(data.date(fact));
  }
  return columns;
}

// Of points in time.
inline Dataset in_memory(const Dataset& data) {
  return Dataset::from_columns(columns_of(data, Split::train), columns_of(data, Split::valid),
                               columns_of(data, Split::test));
}

}  // namespace orrery::testing
