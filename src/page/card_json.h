// A model's card as JSON, the same in `orrery inspect --json` and over HTTP; each adds to it.
#pragma once

#include <nlohmann/json.hpp>

#include "orrery/model.h"

namespace orrery {

inline nlohmann::ordered_json card_to_json(const ModelCard& card) {
  return {{"model", card.options.model},
          {"formula", card.formula},
          {"dim", card.options.dim},
          {"lanes", card.lanes},
          {"parameters", card.parameters},
          {"entities", card.entities},
          {"relations", card.relations},
          {"times", card.times},
          {"timed", card.timed},
          {"intervals", card.intervals},
          {"granularity", card.granularity},
          {"first_time", card.first_time},
          {"last_time", card.last_time},
          {"epoch", card.epoch},
          {"data_fingerprint", card.data_fingerprint},
          {"version", card.version}};
}

}  // namespace orrery
