// A question in the model's ids: which part is asked for, and at which place of the time axis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "learn/stored_model.h"
#include "orrery/predict.h"

namespace orrery {

enum class AskedPart { subject, relation, object, time, fact };
std::string_view name_of(AskedPart part);

// A time row, or a place between two of them.
struct AskedTime {
  std::int32_t row = 0;    // the nearest
  std::int32_t other = 0;  // the one on the far side, where the place is between two
  float share_of_other = 0;
};

struct QuestionIds {
  static constexpr std::int32_t missing = -1;
  AskedPart asked = AskedPart::fact;
  std::int32_t subject = missing, relation = missing, object = missing;
  AskedTime time = {};
  std::string time_name = {};  // of the nearest row; empty: no time was given
  std::string note = {};       // what a reader must know of the time; empty: nothing
};

// True where a model's answers depend on the time that is asked for.
bool knows_time(const StoredModel& model);

// Names that the model does not know, that train never had (unless `untrained`), and questions that
// leave out several parts are request Errors.
QuestionIds ids_of(const StoredModel& model, const Question& question, bool untrained);

}  // namespace orrery
