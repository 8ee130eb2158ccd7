// What the algebra says of a trained BSCA model: the paper's figure of one relation at one time,
// its polar form, and for all relations how near they are to being symmetric, beside the data.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "orrery/model.h"
#include "paper/geometry_statistics.h"

namespace orrery {

struct Report;  // page/report.h

struct GeometryOptions {
  // Empty: "Consult" at 2014-03-29, as in the paper; where the model knows neither, the relation
  // with the most facts and the middle of the time axis.
  std::string relation, time;
};

// One relation at one time; of intervals its start or its end.
struct TransformPicture {
  std::string side;                         // "", "start" or "end"
  Histogram joint, time_mul, transform;     // the eight components of all lanes pooled
  Histogram angle, rapidity, scale, phase;  // of the polar form of R, a value a lane
  std::int64_t singular = 0;                // lanes that have none, counted as zeros
  double distance = 0;                      // of R from R†: 0 symmetric, 1 antisymmetric
};

struct RelationSymmetry {
  std::string relation;
  std::uint64_t facts = 0;     // distinct training facts of two different entities …
  std::uint64_t reversed = 0;  // … and those whose reverse is a training fact of the same time
  double at_time = 0;          // the distance from R† at the time asked for, …
  double over_times = 0;       // … and over the sampled times

  double share() const {
    return facts > 0 ? static_cast<double>(reversed) / static_cast<double>(facts) : 0;
  }
};

// Between the share of reversed facts and the distance from R†: below 0 where the model has learned
// which relations are symmetric.
struct SymmetryCorrelation {
  std::uint64_t least_facts = 0;  // of the relations compared
  std::size_t relations = 0;
  double at_time = 0, over_times = 0;  // Spearman's
};

struct Geometry {
  std::string relation, time;
  std::int32_t lanes = 0;
  std::int32_t sampled_times = 0, times = 0;
  std::vector<TransformPicture> sides;
  std::vector<RelationSymmetry> relations;  // with training facts; most facts first
  std::vector<SymmetryCorrelation> correlations;
};

// Refuses a relation or a time that is asked for and is not there.
void check_geometry(const Dataset& data, const GeometryOptions& options);
// `data`: the facts it was trained on. An unknown relation or time, and a model that has no
// biquaternions, are request Errors.
Geometry measure_geometry(const Model& model, const Dataset& data, const GeometryOptions& options);
Report geometry_report(const Geometry& geometry);
nlohmann::ordered_json geometry_json(const Geometry& geometry);

}  // namespace orrery
