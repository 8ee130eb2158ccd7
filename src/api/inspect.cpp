#include "orrery/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/model_state.h"
#include "base/error.h"
#include "models/bsca.h"

namespace orrery {
namespace {

using Studied = Bsca<NoAttention, Biquaternion>;  // attention has no part in the transform
using Value = Element<double, Biquaternion>;

// The embedding of one relation or time, or the constant that stands in its place.
class Operand {
 public:
  Operand(const StoredModel& model, std::string_view name, std::int32_t row) {
    const auto spec = std::ranges::find(Studied::rows, name, &RowSpec::name);
    for (int c = 0; c < Value::size; ++c)
      constant_.c[c] = spec->without == Without::one && unit_component<Biquaternion>(c) ? 1 : 0;
    const auto& tables = model.tables();
    const auto table = std::ranges::find(tables, name, &TableSpec::name);
    if (table == tables.end()) return;
    const auto dim = static_cast<std::size_t>(model.header().options.dim);
    values_ = model.rows(static_cast<std::size_t>(table - tables.begin()))
                  .subspan(static_cast<std::size_t>(row) * dim, dim);
  }

  Constant<Value> at(std::size_t lane) const {
    Value value = constant_;
    if (values_.empty()) return {value};
    const std::size_t lanes = values_.size() / Value::size;
    for (std::size_t c = 0; c < Value::size; ++c) value.c[c] = values_[c * lanes + lane];
    return {value};
  }

 private:
  std::span<const float> values_;
  Value constant_;
};

void put(const Value& value, std::size_t lane, std::vector<double>& row) {
  const std::size_t lanes = row.size() / Value::size;
  for (std::size_t c = 0; c < Value::size; ++c) row[c * lanes + lane] = value.c[c];
}

void check_id(std::int32_t id, std::int32_t count, const char* what) {
  if (id < 0 || id >= count)
    fail_request("there is no {} {}: the model has {}, counted from 0", what, id, count);
}

}  // namespace

std::string no_transforms_reason(const Model& model) {
  if (model.state().mixture)
    return "a mixture has none of its own; take one of the models it was made of";
  const ModelVariant& variant = *model.state().stored->plan().variant;
  if (variant.name != Studied::name)
    return fmt::format("relations of {} are no biquaternions; take a run of {}", variant.name,
                       Studied::name);
  if (variant.choice("product") != "hamilton")
    return fmt::format(
        "with product = {} its embeddings are not multiplied as biquaternions; take a run of {} "
        "with the Hamilton product",
        variant.choice("product"), Studied::name);
  return {};
}

RelationTransform relation_transform(const Model& model, std::int32_t relation, std::int32_t time) {
  if (const std::string reason = no_transforms_reason(model); !reason.empty())
    fail_request("this model has no relation transforms: {}", reason);
  const StoredModel& stored = *model.state().stored;
  check_id(relation, stored.header().relation_ids().count(), "relation embedding");
  check_id(time, stored.header().times.size(), "time");
  const Operand relation_mul(stored, "relation_mul", relation),
      time_joint(stored, "time_joint", time), time_mul(stored, "time_mul", time);
  const auto dim = static_cast<std::size_t>(stored.header().options.dim);
  RelationTransform result{std::vector<double>(dim), std::vector<double>(dim),
                           std::vector<double>(dim)};
  for (std::size_t lane = 0; lane < dim / Value::size; ++lane) {
    const auto transform =
        Studied::transform(relation_mul.at(lane), time_joint.at(lane), time_mul.at(lane));
    put(transform.a.v, lane, result.joint);
    put(transform.b.v, lane, result.time_mul);
    put(transform.v, lane, result.product);
  }
  return result;
}

}  // namespace orrery
