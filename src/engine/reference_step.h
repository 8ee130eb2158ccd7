// The slow truth of an optimizer: the same updates in double.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/engine.h"
#include "engine/optimizers/list.h"
#include "engine/reference_rows.h"

namespace orrery {

using ReferenceStates = std::vector<ReferenceTables>;  // by state of the optimizer

inline ReferenceStates fresh_states(const Optimizer& optimizer, const ReferenceTables& tables) {
  ReferenceTables zeros = tables;
  for (auto& table : zeros) table.assign(table.size(), 0.0);
  return ReferenceStates(optimizer.states.size(), zeros);
}

// `rows`: how many tables are of the formula's rows; what follows is of candidates' features.
// `batch`: examples of the step.
inline void take_step(const Optimizer& optimizer, const StepRules& rules, std::size_t rows,
                      std::int64_t batch, const ReferenceTables& gradient, ReferenceStates& states,
                      ReferenceTables& tables) {
  with_optimizer(optimizer.index, [&]<class Chosen>() {
    for (std::size_t r = 0; r < tables.size(); ++r) {
      const StepSize<double> size =
          r < rows ? rules.row_step(optimizer) : rules.feature_step(optimizer, batch);
      for (std::size_t i = 0; i < tables[r].size(); ++i) {
        double own[Chosen::states.size()];
        for (std::size_t s = 0; s < Chosen::states.size(); ++s) own[s] = states[s][r][i];
        Chosen::update(tables[r][i], own, gradient[r][i], size);
        for (std::size_t s = 0; s < Chosen::states.size(); ++s) states[s][r][i] = own[s];
      }
    }
  });
}

}  // namespace orrery
