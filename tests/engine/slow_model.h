// The slow truth behind an interface, so that only one file instantiates it for every variant.
#pragma once

#include <memory>
#include <vector>

#include "engine/engine.h"
#include "engine/reference.h"

namespace orrery {

class SlowModel {
 public:
  virtual ~SlowModel() = default;
  virtual ReferenceTables& tables() = 0;
  virtual std::vector<double> query(const Query& q) const = 0;
  virtual std::vector<double> scores(const Query& q) const = 0;
  // `averages`: the rows of the rules' teacher, where they have one.
  virtual LossSums loss(const std::vector<Example>& batch, const LossRules& rules,
                        std::uint64_t step_key, ReferenceTables* gradient,
                        const ReferenceTables* averages = nullptr) const = 0;
  virtual double made_of_zeros() const = 0;  // see zero_lanes.h
};

// Defined in slow_model_test.cpp.
std::unique_ptr<SlowModel> make_slow_model(const ModelPlan& plan, ReferenceTables start);

}  // namespace orrery
