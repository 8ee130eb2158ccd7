// R(r, t) = (relation_mul + time_joint) · time_mul of a trained BSCA model, lane by lane: what a
// relation does to an entity at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "learn/model_file.h"
#include "math/biquaternion_polar.h"

namespace orrery {

// Where something is measured over all times, so many stand for them.
inline constexpr std::int32_t most_sampled_times = 24;

class RelationTransforms {
 public:
  // Why a model has none, as the end of a sentence; empty where it has.
  static std::string lacking_in(const ModelHeader& header);

  // A model without them is a request Error.
  explicit RelationTransforms(const ModelFile& file);

  std::int32_t lanes() const { return lanes_; }
  // A relation has one forward row; of intervals one for their starts and one for their ends.
  std::vector<std::int32_t> rows_of(std::int32_t relation) const;
  // The row that answers for the subject.
  std::int32_t reciprocal(std::int32_t row) const { return row + relation_rows_ / 2; }
  // At most `most` times, evenly spaced from the first to the last.
  std::vector<std::int32_t> sample_of_times(std::int32_t most) const;

  BiquaternionValue joint(std::int32_t row, std::int32_t time, std::int32_t lane) const {
    return add(relation_mul_.at(row, lane, lanes_), time_joint_.at(time, lane, lanes_));
  }
  BiquaternionValue time_mul(std::int32_t time, std::int32_t lane) const {
    return time_mul_.at(time, lane, lanes_);
  }
  BiquaternionValue at(std::int32_t row, std::int32_t time, std::int32_t lane) const {
    return mul(joint(row, time, lane), time_mul(time, lane));
  }

  // A relation row at a time.
  struct Place {
    std::int32_t row = 0, time = 0;
  };
  // Of R from the adjoint of the other, over all lanes; `straight`: from the other itself.
  AdjointDistance distance(Place one, Place other, bool straight = false) const;

 private:
  struct Rows {
    std::vector<float> values;   // in logical order; empty: the row is switched off
    BiquaternionValue constant;  // that stands in its place then

    BiquaternionValue at(std::int32_t id, std::int32_t lane, std::int32_t lanes) const {
      if (values.empty()) return constant;
      BiquaternionValue value;
      const float* first = values.data() + std::size_t(id) * std::size_t(lanes) * value.size + lane;
      for (int c = 0; c < value.size; ++c) value.c[c] = first[std::ptrdiff_t{c} * lanes];
      return value;
    }
  };
  static Rows rows_named(const Engine& engine, std::string_view name);

  std::int32_t lanes_ = 0, relations_ = 0, relation_rows_ = 0, times_ = 0;
  Rows relation_mul_, time_joint_, time_mul_;
};

}  // namespace orrery
