// The buffer of a state, in a backend whose tables have `values`, `averages` and `states`.
#pragma once

#include "engine/engine.h"

namespace orrery {

template <class TableData>
auto& buffer_of(TableData& data, State state) {
  return state == State::value     ? data.values
         : state == State::average ? data.averages
                                   : data.states.at(optimizer_place(state));
}

}  // namespace orrery
