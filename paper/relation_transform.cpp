#include "paper/relation_transform.h"

#include <algorithm>

#include "base/error.h"

namespace orrery {

BiquaternionValue biquaternion_at(std::span<const double> row, std::int32_t lane) {
  BiquaternionValue value;
  const std::size_t lanes = row.size() / BiquaternionValue::size;
  for (std::size_t c = 0; c < BiquaternionValue::size; ++c)
    value.c[c] = row[c * lanes + static_cast<std::size_t>(lane)];
  return value;
}

RelationTransforms::RelationTransforms(const Model& model)
    : model_(model),
      ids_(model.card().relation_ids),
      lanes_(static_cast<std::int32_t>(model.card().lanes)),
      times_(model.card().times) {
  if (const std::string reason = no_transforms_reason(model); !reason.empty())
    fail_request("this model has no relation transforms: {}", reason);
}

std::vector<std::int32_t> RelationTransforms::rows_of(std::int32_t relation,
                                                      bool reciprocal) const {
  if (!ids_.ends) return {ids_.id(relation, reciprocal)};
  return {ids_.id(relation, reciprocal, false), ids_.id(relation, reciprocal, true)};
}

std::vector<std::int32_t> RelationTransforms::sample_of_times(std::int32_t most) const {
  std::vector<std::int32_t> times;
  const std::int32_t count = std::min(most, times_);
  for (std::int64_t i = 0; i < count; ++i)
    times.push_back(count == 1 ? 0 : static_cast<std::int32_t>(i * (times_ - 1) / (count - 1)));
  return times;
}

AdjointDistance RelationTransforms::distance(Place one, Place other, bool straight) const {
  const RelationTransform here = at(one), there = at(other);
  AdjointDistance sum;
  for (std::int32_t lane = 0; lane < lanes_; ++lane) {
    const BiquaternionValue value = biquaternion_at(there.product, lane);
    sum.add(biquaternion_at(here.product, lane), straight ? adjoint(value) : value);
  }
  return sum;
}

}  // namespace orrery
