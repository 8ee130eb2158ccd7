// A fact that is asked about as a whole, in a model's ids.
#pragma once

#include <cstdint>
#include <string>

#include "data/drawn_times.h"
#include "data/query.h"
#include "learn/stored_model.h"
#include "orrery/predict.h"

namespace orrery {

struct AskedFact {
  std::int32_t subject = 0, relation = 0, object = 0;
  std::int32_t time = 0;  // a time row
  bool timed = false;     // the model's answers depend on it
  std::string note;       // what a reader must know of the date

  std::int32_t given(Direction direction) const {
    return direction == Direction::object ? subject : object;
  }
  std::int32_t answer(Direction direction) const {
    return direction == Direction::object ? object : subject;
  }
};

// A part that is missing or unknown is a request Error, and so is (unless `untrained`) one that
// train never had.
AskedFact asked_fact(const StoredModel& model, const Question& question, bool untrained);

// The fact's question in one direction, at any time: models of starts and ends are asked for both.
QueryPair queries_at(const ModelHeader& header, const AskedFact& fact, Direction direction,
                     std::int32_t time);

}  // namespace orrery
