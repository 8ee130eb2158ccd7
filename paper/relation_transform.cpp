#include "paper/relation_transform.h"

#include <algorithm>

#include "base/error.h"
#include "learn/setup.h"

namespace orrery {

std::string RelationTransforms::lacking_in(const ModelHeader& header) {
  const ModelVariant& variant = variant_of(header.options);
  if (variant.name != "bsca")
    return fmt::format("relations of {} are no biquaternions; take a run of bsca", variant.name);
  if (variant.choice("product") != "hamilton")
    return fmt::format(
        "with product = {} its rows are not multiplied as biquaternions; take a run of bsca with "
        "the Hamilton product",
        variant.choice("product"));
  return {};
}

RelationTransforms::RelationTransforms(const ModelFile& file) {
  const ModelHeader& header = file.header();
  if (const std::string lack = lacking_in(header); !lack.empty())
    fail_request("this model has no relation transforms: {}", lack);
  const ModelShape shape = header.shape();
  lanes_ = shape.dim / Biquaternion::size;
  relations_ = header.relations.size();
  relation_rows_ = shape.relation_rows;
  times_ = shape.times;
  const auto engine = file.start_engine({.device = "cpu", .threads = 1});
  relation_mul_ = rows_named(*engine, "relation_mul");
  time_joint_ = rows_named(*engine, "time_joint");
  time_mul_ = rows_named(*engine, "time_mul");
}

RelationTransforms::Rows RelationTransforms::rows_named(const Engine& engine,
                                                        std::string_view name) {
  Rows rows;
  const ModelVariant& variant = *engine.plan().variant;
  const auto spec = std::ranges::find(variant.rows, name, &RowSpec::name);
  if (spec == variant.rows.end()) fail_broken("bsca has no row {} any more", name);
  for (int c = 0; c < Biquaternion::size; ++c)
    rows.constant.c[c] = spec->without == Without::one && unit_component<Biquaternion>(c) ? 1 : 0;
  const auto& tables = engine.tables();
  const auto table = std::ranges::find(tables, name, &TableSpec::name);
  if (table != tables.end())
    rows.values =
        read_table(engine, static_cast<std::size_t>(table - tables.begin()), State::value);
  return rows;
}

std::vector<std::int32_t> RelationTransforms::rows_of(std::int32_t relation) const {
  std::vector<std::int32_t> rows;
  for (std::int32_t row = relation; row < relation_rows_ / 2; row += relations_)
    rows.push_back(row);
  return rows;
}

std::vector<std::int32_t> RelationTransforms::sample_of_times(std::int32_t most) const {
  std::vector<std::int32_t> times;
  const std::int32_t count = std::min(most, times_);
  for (std::int64_t i = 0; i < count; ++i)
    times.push_back(count == 1 ? 0 : static_cast<std::int32_t>(i * (times_ - 1) / (count - 1)));
  return times;
}

AdjointDistance RelationTransforms::distance(Place one, Place other, bool straight) const {
  AdjointDistance sum;
  for (std::int32_t lane = 0; lane < lanes_; ++lane) {
    const BiquaternionValue there = at(other.row, other.time, lane);
    sum.add(at(one.row, one.time, lane), straight ? adjoint(there) : there);
  }
  return sum;
}

}  // namespace orrery
