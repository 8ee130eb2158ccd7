#include "learn/align_data.h"

#include <string_view>

#include "base/error.h"

namespace orrery {
namespace {

std::vector<std::int32_t> ids_in(const Vocabulary& known, const Vocabulary& names,
                                 std::string_view what) {
  std::vector<std::int32_t> ids;
  std::int32_t unknown = 0;
  const std::string* first = nullptr;
  for (const auto& name : names.names()) {
    const auto id = known.find(name);
    ids.push_back(id.value_or(-1));
    if (id) continue;
    ++unknown;
    if (first == nullptr) first = &name;
  }
  if (unknown > 0)
    fail_request("the model does not know {} of the data's {} {}, such as '{}'; it can only be "
                 "judged on names it was trained with",
                 unknown, names.size(), what, *first);
  return ids;
}

}  // namespace

Dataset align_data(const ModelCard& card, Dataset data) {
  if (data.times.intervals != card.times.intervals)
    fail_request("the model was trained on {} facts, and the data has {} facts",
                 card.times.intervals ? "interval" : "point",
                 data.times.intervals ? "interval" : "point");
  const auto entities = ids_in(card.entities, data.entities, "entities");
  const auto relations = ids_in(card.relations, data.relations, "relations");
  for (auto& split : data.facts)
    for (Fact& fact : split) {
      fact.subject = entities[static_cast<std::size_t>(fact.subject)];
      fact.relation = relations[static_cast<std::size_t>(fact.relation)];
      fact.object = entities[static_cast<std::size_t>(fact.object)];
    }
  const auto row_in_model = [&](std::int32_t row) {
    if (row == Moment::unknown) return row;
    return card.times.nearest_row_to(data.times.rows[static_cast<std::size_t>(row)].first);
  };
  for (Moment& moment : data.times.moments)
    moment = {row_in_model(moment.start), row_in_model(moment.end)};
  data.entities = card.entities;
  data.relations = card.relations;
  data.times.rows = card.times.rows;
  data.times.granularity = card.times.granularity;
  return data;
}

}  // namespace orrery
