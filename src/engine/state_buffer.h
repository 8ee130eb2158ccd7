// The buffer of a state, in a backend whose tables have `values`, `squares` and `averages`.
#pragma once

#include "engine/engine.h"

namespace orrery {

template <class TableData>
auto& buffer_of(TableData& data, State state) {
  return state == State::value     ? data.values
         : state == State::adagrad ? data.squares
                                   : data.averages;
}

}  // namespace orrery
