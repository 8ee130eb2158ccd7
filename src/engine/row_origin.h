// Where a formula's rows come from, in every backend.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/query.h"
#include "math/inline.h"
#include "models/model.h"

namespace orrery {

inline constexpr std::size_t most_rows = 16;  // of a formula

// A table, or (stride 0) one constant row.
struct RowOrigin {
  const float* data = nullptr;
  std::size_t stride = 0;
};

// Which row of its table a query reads; `entity` is the subject, or the answer in its place.
ORRERY_INLINE std::int32_t id_in(const Query& q, RowOf of, std::int32_t entity,
                                 std::int32_t window) {
  switch (of) {
    case RowOf::entity:
      return entity;
    case RowOf::relation:
      return q.relation;
    case RowOf::time:
      return q.time;
    case RowOf::window:
      return q.time / window;
    case RowOf::shared:
    case RowOf::core:
    case RowOf::answer:  // see id_for
      break;
  }
  return 0;
}

// The same of an example, whose answer auxiliary losses read as well.
ORRERY_INLINE std::int32_t id_for(const Example& e, RowOf of, std::int32_t entity,
                                  std::int32_t window) {
  return of == RowOf::answer ? e.object : id_in(e.query, of, entity, window);
}

// dL/dsum from dL/dscore where a score is −√sum; where the two coincide it is 0.
template <class T>
ORRERY_INLINE T root_slope(const T& score) {
  return score < T(0) ? T(0.5) / score : T(0);
}

}  // namespace orrery
