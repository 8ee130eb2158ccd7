// Entities whose embeddings point the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learn/stored_model.h"
#include "orrery/explain.h"

namespace orrery {

// Best first, the entity itself left out; of equal ones the lowest id.
std::vector<Neighbour> nearest_entities(const StoredModel& model, std::int32_t entity,
                                        std::size_t top);

}  // namespace orrery
