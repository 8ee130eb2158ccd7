// Looking into a trained model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model.h"

namespace orrery {

// What a relation of BSCA does to an entity at a time: a biquaternion R for each number of its
// embeddings, in the order of Embeddings::row(). Embeddings that were left out of the model
// (`without`) are replaced by their constants (0 or 1).
struct RelationTransform {
  std::vector<double> joint;     // relation_mul + time_joint
  std::vector<double> time_mul;  // what it is multiplied by
  std::vector<double> product;   // R
};

// Why a model has no such transforms, as a clause for a message; empty: it has them.
std::string no_transforms_reason(const Model& model);

// `relation` is an id from RelationIds, `time` an index of Model::time_names(); ids out of range
// and models without transforms are a request Error.
RelationTransform relation_transform(const Model& model, std::int32_t relation, std::int32_t time);

}  // namespace orrery
