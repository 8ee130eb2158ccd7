// The examples of a step that several processes share. Their entities are numbered by the rows that
// are borrowed for the step; targets, and rows that get gradients, are those of this process.
#include <algorithm>

#include "engine/candidates.h"
#include "engine/cuda/batches.h"

namespace orrery::cuda {

void Batches::choose_shared(Batch& batch, const BatchName& name, std::vector<Example>& chosen,
                            cudaStream_t stream) {
  const RowBlock& own = blocks_.own();
  const auto place_here = [&](std::int32_t entity, std::int32_t otherwise) {
    return own.holds(entity) ? static_cast<std::int32_t>(entity - own.first) : otherwise;
  };
  std::vector<std::int32_t> ids, targets, borrowed;
  batch.candidate_count = static_cast<std::int32_t>(own.count);
  if (name.negatives > 0) {
    ids = candidate_ids(chosen, blocks_.entities(), name.negatives, name.key());
    std::erase_if(ids, [&](std::int32_t id) { return !own.holds(id); });
    for (std::int32_t& id : ids) id = place_here(id, -1);
    batch.candidate_count = static_cast<std::int32_t>(ids.size());
  }
  for (const Example& example : chosen) {
    const std::int32_t place = place_here(example.object, -1);
    targets.push_back(name.negatives > 0 && place >= 0
                          ? static_cast<std::int32_t>(position_of(ids, place))
                          : place);
  }
  number_entities(chosen, true, borrowed);
  batch.borrowed_by_process = blocks_.counts_of(borrowed);
  // What goes to rows of others gets a key past all others.
  for (std::int32_t& id : borrowed) id = place_here(id, shape_.entities);
  batch.chosen_ids.send(ids, batch.candidate_ids.data(), stream);
  batch.chosen_targets.send(targets, batch.targets.data(), stream);
  batch.chosen_rows.send(borrowed, batch.entity_rows.data(), stream);
}

}  // namespace orrery::cuda
