// Looking into a trained model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

// What history adds to the score of a candidate of which a feature holds (docs/history.md).
struct HistoryNumber {
  std::string feature;  // as ModelCard::history_features; companion relations by their names
  float worth = 0;
};
struct HistoryNumbers {
  std::string relation;
  std::string asked;       // "object" or "subject"
  std::string event = {};  // "start" or "end" in models of those; else empty
  std::vector<HistoryNumber> numbers = {};
};

// In the order of the rows of the table "history": of one relation, or of all. Empty: the model has
// none, as a mixture, whose parts may. An unknown name is a request Error.
std::vector<HistoryNumbers> history_numbers(const Model& model, std::string_view relation = {});

}  // namespace orrery
