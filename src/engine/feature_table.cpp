#include "engine/engine.h"

namespace orrery {

std::vector<TableSpec> tables_of(const ModelPlan& plan) {
  std::vector<TableSpec> tables = tables_of(*plan.variant, plan.shape, plan.without);
  if (plan.feature_count > 0)
    tables.push_back(
        {no_row, "history", RowOf::relation, plan.shape.relation_rows, plan.feature_count});
  return tables;
}

}  // namespace orrery
