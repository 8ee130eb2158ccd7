// What a relation does to the embeddings of entities, found by the model's own formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/model.h"

namespace orrery {

struct GeometryOptions {
  std::string time = {};   // a date; needed where answers depend on it
  bool end = false;        // of a relation's end, in models of starts and ends
  std::size_t top = 5;     // relations that are like it, and like its reverse
  std::size_t times = 60;  // at which it is compared with itself, beside its own; evenly chosen
  bool untrained = false;  // a relation that no training fact has is taken, too
};

// One number of the embeddings (of a complex model a complex number, and so on) under the relation:
// the part that is the same in both directions, and the part that turns round with them. Of a
// complex number these are the real part and the size of the imaginary one.
struct NumberGeometry {
  double alike = 0;     // negative: it mirrors
  double reversed = 0;  // never negative
};

struct LikeRelation {
  std::string name;
  // A cosine: 1 the same, 0 unrelated, −1 the opposite. Where there are eight relations or more,
  // what all of them have in common at that time is taken away first.
  double likeness = 0;
};

struct GeometryAtTime {
  std::string time;
  double size = 0;      // as in RelationGeometry
  double likeness = 0;  // to what it does at the time that was asked for; a cosine
};

// A relation takes the subject's embedding to where objects are looked for: entity · matrix +
// shift, number by number. Where scores are inner products the matrix tells relations apart, where
// they are distances the shift does. Seen from the object, products have the transposed matrix, and
// distances the way back.
struct RelationGeometry {
  std::string relation;
  std::string time;             // name of the time that was used; empty: the model knows none
  std::string event;            // "start" or "end" in models of those; else empty
  std::string note;             // set where the date is no time of training
  bool product = true;          // scores are inner products; else distances
  std::int64_t components = 0;  // of a number: 2 of a complex one, 8 of a biquaternion
  double size = 0;              // entities are stretched by this much, on average
  double shift = 0;             // and moved by this much, in sizes of an entity after that
  double symmetry = 0;          // its likeness to its reverse: 1 both directions are the same
  double learned_reverse = 0;   // of its reverse to what the model has learned for the subject
  std::vector<NumberGeometry> numbers;  // in the order of Embeddings::row; unused ones left out
  std::vector<LikeRelation> nearest;    // best first
  std::vector<LikeRelation> inverse;    // other relations by their likeness to its reverse
  double median_nearest = 0, median_inverse = 0;  // over all other relations
  std::vector<GeometryAtTime> over_time;          // in order; empty: the model knows none
};

// Why a model has no such geometry, as a clause for a message; empty: it has one.
std::string no_geometry_reason(const Model& model);

// A name or date that is unknown or missing, and a model without geometry, are request Errors.
// History and attention have no part in it: attention is held as a typical entity has it.
RelationGeometry relation_geometry(const Model& model, std::string_view relation,
                                   const GeometryOptions& options = {});

}  // namespace orrery
