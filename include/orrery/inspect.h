// What a trained model has learned, for people who study it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model.h"

namespace orrery {

// What a relation of BSCA does to an entity at a time: a biquaternion R for each number of its
// embeddings, ordered as in an embedding's row. Embeddings that were left out of the model
// (`without`) are the constants that stand in their place.
struct RelationTransform {
  std::vector<double> joint;     // the relation's part, joined with the time's
  std::vector<double> time_mul;  // what it is multiplied by
  std::vector<double> product;   // R
};

// Why a model has no such transforms, as a part of a sentence; empty: it has them.
std::string no_transforms_reason(const Model& model);

// `row` is one of RelationRows, `time` one of Model::time_names(); what the model does not have is
// a request Error.
RelationTransform relation_transform(const Model& model, std::int32_t row, std::int32_t time);

}  // namespace orrery
