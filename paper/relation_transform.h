// R(r, t) of a trained BSCA model, biquaternion by biquaternion: what a relation does to an entity
// at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/inspect.h"
#include "paper/biquaternion.h"

namespace orrery {

// Where something is measured over all times, so many stand for them.
inline constexpr std::int32_t most_sampled_times = 24;

// One of a row of numbers, which holds their first components, then their second ones, and so on.
BiquaternionValue biquaternion_at(std::span<const double> row, std::int32_t lane);

class RelationTransforms {
 public:
  // A model without them is a request Error.
  explicit RelationTransforms(const Model& model);

  std::int32_t lanes() const { return lanes_; }
  // A relation has one row of a direction; of intervals one for their starts and one for their
  // ends. The reciprocal ones answer for the subject.
  std::vector<std::int32_t> rows_of(std::int32_t relation, bool reciprocal = false) const;
  // At most `most` times, evenly spaced from the first to the last.
  std::vector<std::int32_t> sample_of_times(std::int32_t most) const;

  // A relation row at a time.
  struct Place {
    std::int32_t row = 0, time = 0;
  };
  RelationTransform at(Place place) const {
    return relation_transform(model_, place.row, place.time);
  }
  // Of R from the adjoint of the other, over all lanes; `straight`: from the other itself.
  AdjointDistance distance(Place one, Place other, bool straight = false) const;

 private:
  Model model_;
  RelationIds ids_;
  std::int32_t lanes_ = 0, times_ = 0;
};

}  // namespace orrery
